//! The steps that stories are made of, and the few words that they use.

use nudge::{Context, Os, Patch, Scope};

pub(crate) const COMPONENTS: [&str; 3] = ["api", "db", "web"];
pub(crate) const KEYS: [&str; 4] = ["build", "port", "run", "test"];
pub(crate) const VALUES: [&str; 4] = ["make", "make all", "docker compose up", ""];
pub(crate) const REASONS: [&str; 2] = ["the Makefile says so", "asked ola"];
/// The last two are one tag in two spellings.
pub(crate) const TAGS: [&str; 4] = ["ci", "make", "docker", "Docker"];
pub(crate) const REGEXES: [&str; 5] = ["ma?ke", "^build$", "docker|port", "^$", "(?i)OLA"];

/// Names of context sets, none of which is like another; the first two are known to all.
pub(crate) const SETS: [&str; 6] = ["endpoints", "ports", "hosts", "people", "queues", "tables"];

/// Times to live with their milliseconds; the session has no end.
pub(crate) const TTLS: [(&str, Option<i64>); 4] = [
    ("PT1H", Some(3_600_000)),
    ("P1DT1H", Some(90_000_000)),
    ("PT0.5S", Some(500)),
    ("session", None),
];

/// One call, or one turn of the clock. Numbers are places in the lists above.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Set(Set),
    Get(Slot, usize, usize),
    Query(Search),
    Delete(Slot, Which),
    /// Counts so many uses, or failures.
    Bump(Slot, Which, u32, bool),
    Work(Work),
    WorkingSet(Option<usize>),
    Propose(Set),
    Proposals,
    /// Accepts or rejects the proposal of a number.
    Decide(u64, bool),
    List(Option<usize>, Option<usize>),
    Export(Option<usize>, Vec<usize>, bool),
    Sweep,
    /// Turns the wall clock by so many milliseconds, forwards or backwards.
    Turn(i64),
}

/// What somebody says is being worked on: items of a set, the newest last.
#[derive(Debug, Clone)]
pub(crate) struct Work {
    pub(crate) set: usize,
    pub(crate) items: Vec<usize>,
    pub(crate) merges: bool,
}

/// A component and a key.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Slot {
    pub(crate) component: usize,
    pub(crate) key: usize,
}

impl Slot {
    pub(crate) fn names(self) -> (&'static str, &'static str) {
        (COMPONENTS[self.component], KEYS[self.key])
    }
}

/// Which variant a delete or a bump means.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Which {
    Only,
    Area(usize),
    Place(usize),
    All,
}

#[derive(Debug, Clone)]
pub(crate) struct Set {
    pub(crate) slot: Slot,
    pub(crate) value: usize,
    pub(crate) area: Patch<usize>,
    pub(crate) reason: Patch<usize>,
    pub(crate) tags: Patch<Vec<usize>>,
    pub(crate) priority: Patch<u8>,
    pub(crate) confidence: Patch<f64>,
    pub(crate) ttl: Patch<usize>,
    pub(crate) secret: Patch<bool>,
    pub(crate) if_match_version: Option<u64>,
}

#[derive(Debug, Clone)]
pub(crate) struct Search {
    pub(crate) component: Option<usize>,
    pub(crate) keys: Vec<usize>,
    pub(crate) tags: Vec<usize>,
    pub(crate) all_tags: bool,
    pub(crate) regex: Option<usize>,
    pub(crate) place: usize,
    pub(crate) limit: usize,
}

/// Where somebody may be; an empty text states nothing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    cwd: &'static str,
    repo: &'static str,
    branch: &'static str,
    os: Option<Os>,
    env: &'static [(&'static str, &'static str)],
    pub(crate) file: &'static str,
}

const NOWHERE: Place = Place {
    cwd: "",
    repo: "",
    branch: "",
    os: None,
    env: &[],
    file: "",
};

pub(crate) const PLACES: [Place; 7] = [
    NOWHERE,
    Place {
        cwd: "/work/api",
        branch: "dev",
        os: Some(Os::Linux),
        ..NOWHERE
    },
    Place {
        cwd: "/work/api/src/",
        branch: "main",
        os: Some(Os::Darwin),
        env: &[("CI", "")],
        ..NOWHERE
    },
    Place {
        repo: "https://mara@GitHub.com/acme/api.git",
        branch: "hotfix/7",
        env: &[("MODE", "test")],
        file: "/work/api/src/main.rs",
        ..NOWHERE
    },
    Place {
        cwd: "/srv/./x/../api-2",
        repo: "git@gitlab.com:acme/api",
        branch: "dev",
        os: Some(Os::Linux),
        env: &[("MODE", "prod"), ("CI", "1")],
        file: "/work/api/Makefile",
    },
    Place {
        cwd: r"C:\work\API",
        branch: "hotfix/7/b",
        os: Some(Os::Windows),
        env: &[("mode", "dev")],
        repo: "git:acme/api",
        ..NOWHERE
    },
    Place {
        cwd: "/work/api/src",
        repo: "ssh://git@git.acme.test/acme/api",
        branch: "dev",
        os: Some(Os::Linux),
        env: &[("CI", "1"), ("MODE", "dev")],
        file: "/work/web/index.html",
    },
];

impl Place {
    /// Whether it is a repository or a folder.
    pub(crate) fn is_somewhere(&self) -> bool {
        !self.cwd.is_empty() || !self.repo.is_empty()
    }

    pub(crate) fn context(&self) -> Context {
        let mut context = Context::new();
        if !self.cwd.is_empty() {
            context = context.cwd(self.cwd);
        }
        if !self.repo.is_empty() {
            context = context.repo(self.repo);
        }
        if !self.branch.is_empty() {
            context = context.branch(self.branch);
        }
        if let Some(os) = self.os {
            context = context.os(os);
        }
        if !self.file.is_empty() {
            context = context.file_open(self.file);
        }
        let env = self.env.iter();
        env.fold(context, |context, (name, value)| context.env(*name, *value))
    }
}

/// A scope, and by hand what the contract makes of it.
pub(crate) struct Area {
    /// As somebody might write it.
    pub(crate) written: fn() -> Scope,
    /// As it is stored.
    pub(crate) canonical: &'static str,
    pub(crate) holds: fn(&Place) -> bool,
    /// Whether its globs take a file or a folder above it.
    pub(crate) has_file: fn(&str) -> bool,
}

fn no_file(_: &str) -> bool {
    false
}

pub(crate) const AREAS: [Area; 8] = [
    Area {
        written: Scope::new,
        canonical: "{}",
        holds: |_| true,
        has_file: no_file,
    },
    Area {
        written: || Scope::new().branch("main").branch("dev").branch("main"),
        canonical: r#"{"branch": ["dev", "main"]}"#,
        holds: |place| ["dev", "main"].contains(&place.branch),
        has_file: no_file,
    },
    Area {
        written: || Scope::new().branch("hotfix/*"),
        canonical: r#"{"branch": ["hotfix/*"]}"#,
        holds: |place| place.branch == "hotfix/7",
        has_file: no_file,
    },
    Area {
        written: || Scope::new().os(Os::Windows).os(Os::Linux),
        canonical: r#"{"os": ["linux", "windows"]}"#,
        holds: |place| [Some(Os::Linux), Some(Os::Windows)].contains(&place.os),
        has_file: no_file,
    },
    Area {
        written: || Scope::new().os(Os::Linux).branch("dev"),
        canonical: r#"{"branch": ["dev"], "os": ["linux"]}"#,
        holds: |place| place.os == Some(Os::Linux) && place.branch == "dev",
        has_file: no_file,
    },
    Area {
        written: || Scope::new().cwd_glob("**/api*"),
        canonical: r#"{"cwd_glob": ["**/api*"]}"#,
        // The cwd of Windows is compared without case.
        holds: |place| ["/work/api", "/srv/./x/../api-2", r"C:\work\API"].contains(&place.cwd),
        has_file: |file| file.contains("/api"),
    },
    Area {
        written: || Scope::new().cwd_glob("/work/api/**").env_required("CI"),
        canonical: r#"{"cwd_glob": ["/work/api/**"], "env_required": ["CI"]}"#,
        holds: |place| {
            let ci = place.env.iter().any(|(name, _)| *name == "CI");
            ci && place.cwd.starts_with("/work/api")
        },
        has_file: |file| file.starts_with("/work/api/"),
    },
    Area {
        written: || {
            let scope = Scope::new().repo("git@anywhere.test:acme/api.git");
            scope
                .repo("acme/api")
                .env_match("MODE", "test")
                .env_match("MODE", "dev")
        },
        canonical: r#"{"repo": ["git:acme/api", "git:anywhere.test/acme/api"],
                       "env_match": {"MODE": ["dev", "test"]}}"#,
        holds: |place| {
            // Names of variables are compared without case on Windows.
            let mode = [("MODE", "test"), ("MODE", "dev"), ("mode", "dev")];
            !place.repo.is_empty() && place.env.iter().any(|pair| mode.contains(pair))
        },
        has_file: no_file,
    },
];
