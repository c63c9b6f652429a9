//! The programs that take a password on their command line, and where they take it.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::value;

/// A program and the places where it takes a password.
pub(super) struct Program {
    /// The names under which it is called, without folder and `.exe`.
    names: &'static [&'static str],
    /// A word that has to be among the arguments for the flags to mean a password; empty for none.
    needs: &'static str,
    /// Flags with the password attached: `-pX`.
    attached: &'static [&'static str],
    /// Flags with the password in the next word: `-p X`.
    next: &'static [&'static str],
    /// Flags with user and password, attached or next, and the sign between the two: `-u user:X`.
    pairs: &'static [(&'static str, char)],
    /// A positional argument that is the password.
    position: Position,
}

/// Where among the arguments without flags a password stands.
#[derive(Clone, Copy)]
enum Position {
    /// Nowhere.
    None,
    /// Directly after the word, at this distance: `add_user u X` is `("add_user", 2)`.
    After(&'static str, usize),
    /// At the end of the arguments, when the flag is given: `htpasswd -b file user X`.
    LastWith(&'static str),
    /// As `user/X@database` in the first argument.
    Slash,
}

/// A program without any place, from which the table's entries start.
const PLAIN: Program = Program {
    names: &[],
    needs: "",
    attached: &[],
    next: &[],
    pairs: &[],
    position: Position::None,
};

/// The table of programs.
const PROGRAMS: &[Program] = &[
    Program {
        names: &[
            "mysql",
            "mysqldump",
            "mysqladmin",
            "mysqlimport",
            "mysqlcheck",
            "mysqlshow",
            "mysqlslap",
            "mysqlbinlog",
            "mysqlsh",
            "mariadb",
            "mariadb-dump",
            "mariadb-admin",
            "mycli",
            "mysqlpump",
            "mydumper",
            "xtrabackup",
        ],
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: &["sshpass"],
        attached: &["-p"],
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: &["curl", "curlie"],
        pairs: &[
            ("-u", ':'),
            ("--user", ':'),
            ("--proxy-user", ':'),
            ("-U", ':'),
        ],
        ..PLAIN
    },
    Program {
        names: &["http", "https", "xh", "xhs"],
        pairs: &[("-a", ':'), ("--auth", ':')],
        ..PLAIN
    },
    Program {
        names: &["redis-cli", "valkey-cli", "keydb-cli"],
        next: &["-a", "--pass"],
        position: Position::After("AUTH", 1),
        ..PLAIN
    },
    Program {
        names: &[
            "mongo",
            "mongosh",
            "mongodump",
            "mongorestore",
            "mongoexport",
            "mongoimport",
            "mongostat",
        ],
        attached: &["-p"],
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: &[
            "docker",
            "podman",
            "helm",
            "nerdctl",
            "buildah",
            "skopeo",
            "oras",
            "crane",
            "az",
            "oc",
            "cf",
            "ibmcloud",
            "argocd",
            "heroku",
            "kubelogin",
            "bx",
            "cloudctl",
            "regctl",
            "flyctl",
            "snyk",
            "wrangler",
            "doctl",
            "jf",
        ],
        needs: "login",
        next: &["-p", "-t", "--creds"],
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: &["skopeo", "buildah"],
        pairs: &[
            ("--creds", ':'),
            ("--src-creds", ':'),
            ("--dest-creds", ':'),
        ],
        ..PLAIN
    },
    Program {
        names: &[
            "ldapsearch",
            "ldapadd",
            "ldapmodify",
            "ldapdelete",
            "ldapwhoami",
            "ldappasswd",
            "ldapcompare",
        ],
        attached: &["-w"],
        next: &["-w", "-s"],
        ..PLAIN
    },
    Program {
        names: &["smbclient", "rpcclient", "smbmap", "smbget"],
        pairs: &[("-U", '%'), ("--user", '%')],
        ..PLAIN
    },
    Program {
        names: &["net"],
        needs: "use",
        position: Position::After("use", 2),
        ..PLAIN
    },
    Program {
        names: &["net"],
        needs: "user",
        position: Position::After("user", 2),
        ..PLAIN
    },
    Program {
        names: &["net"],
        pairs: &[("-U", '%')],
        ..PLAIN
    },
    Program {
        names: &["unzip", "zip", "zipcloak", "funzip"],
        attached: &["-P"],
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: &["7z", "7za", "7zr", "7zz", "rar", "unrar"],
        attached: &["-p", "-hp"],
        ..PLAIN
    },
    Program {
        names: &["openssl"],
        next: &["-k", "-K"],
        attached: &["pass:"],
        ..PLAIN
    },
    Program {
        names: &["keytool", "jarsigner", "apksigner"],
        next: &[
            "-storepass",
            "-keypass",
            "-srcstorepass",
            "-deststorepass",
            "-new",
        ],
        attached: &["pass:"],
        ..PLAIN
    },
    Program {
        names: &["sqlcmd", "bcp", "osql", "isql", "tsql", "mssql-cli"],
        attached: &["-P"],
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: &[
            "sqlplus", "sqlldr", "expdp", "impdp", "rman", "exp", "imp", "sqlcl",
        ],
        position: Position::Slash,
        ..PLAIN
    },
    Program {
        names: &["vault"],
        needs: "login",
        position: Position::After("login", 1),
        ..PLAIN
    },
    Program {
        names: &["htpasswd"],
        position: Position::LastWith("b"),
        ..PLAIN
    },
    Program {
        names: &["rabbitmqctl"],
        position: Position::After("add_user", 2),
        ..PLAIN
    },
    Program {
        names: &["rabbitmqctl"],
        position: Position::After("change_password", 2),
        ..PLAIN
    },
    Program {
        names: &["rabbitmqctl"],
        position: Position::After("authenticate_user", 2),
        ..PLAIN
    },
    Program {
        names: &["lftp"],
        pairs: &[("-u", ','), ("--user", ',')],
        ..PLAIN
    },
    Program {
        names: &[
            "ncftp",
            "ncftpput",
            "ncftpget",
            "twine",
            "cqlsh",
            "cypher-shell",
            "psexec",
            "yt-dlp",
            "beeline",
            "rdesktop",
            "evil-winrm",
            "bteq",
            "influx",
            "snowsql",
        ],
        next: &["-p"],
        attached: &["-p"],
        ..PLAIN
    },
    Program {
        names: &["mosquitto_pub", "mosquitto_sub", "mosquitto_rr", "ipmitool"],
        next: &["-P"],
        ..PLAIN
    },
    Program {
        names: &["plink", "pscp", "psftp", "putty"],
        next: &["-pw"],
        ..PLAIN
    },
    Program {
        names: &["xfreerdp", "wfreerdp", "cmdkey", "wmic"],
        attached: &["/p:", "/pass:", "/password:"],
        ..PLAIN
    },
    Program {
        names: &["ssh-keygen"],
        next: &["-N", "-P"],
        ..PLAIN
    },
    Program {
        names: &["etcdctl"],
        pairs: &[("--user", ':')],
        ..PLAIN
    },
    Program {
        names: &["jenkins-cli.jar", "jenkins-cli"],
        pairs: &[("-auth", ':')],
        ..PLAIN
    },
    Program {
        names: &["nuget"],
        next: &["-k", "--api-key", "-ApiKey"],
        ..PLAIN
    },
    Program {
        names: &["mc"],
        needs: "alias",
        position: Position::After("set", 4),
        ..PLAIN
    },
    Program {
        names: &["mosquitto_passwd"],
        position: Position::LastWith("b"),
        ..PLAIN
    },
    Program {
        names: &["wpa_passphrase"],
        position: Position::LastWith(""),
        ..PLAIN
    },
    Program {
        names: &["nmcli"],
        position: Position::After("password", 1),
        ..PLAIN
    },
    Program {
        names: &["db2"],
        position: Position::After("using", 1),
        ..PLAIN
    },
    Program {
        names: &["useradd", "usermod"],
        next: &["-p"],
        ..PLAIN
    },
    Program {
        names: &["kinit"],
        attached: &["--password="],
        ..PLAIN
    },
    Program {
        names: &["wget"],
        attached: &[
            "--password=",
            "--http-password=",
            "--ftp-password=",
            "--proxy-password=",
        ],
        ..PLAIN
    },
    Program {
        names: &["gpg", "gpg2"],
        next: &["--passphrase"],
        attached: &["--passphrase="],
        ..PLAIN
    },
];

/// Says whether the word is the name of a program in the table.
pub(super) fn is_program(word: &str) -> bool {
    NAMES.contains(base(word))
}

/// Returns the table's entries for a word at the place of a command.
pub(super) fn programs(word: &str) -> impl Iterator<Item = &'static Program> {
    PROGRAMS
        .iter()
        .filter(move |program| program.names.contains(&base(word)))
}

/// The names of all programs.
static NAMES: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    PROGRAMS
        .iter()
        .flat_map(|program| program.names)
        .copied()
        .collect()
});

/// Returns the name of a program without its folder and ending.
fn base(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    name.strip_suffix(".exe").unwrap_or(name)
}

/// Says whether the text has a program that reads a password from a pipe.
pub(super) fn reads_from_pipe(text: &str) -> bool {
    let marks = [
        "password-stdin",
        "sudo -S",
        "sudo --stdin",
        "--with-token",
        "chpasswd",
        "passwd",
        "cryptsetup",
        "passphrase-fd",
        "login",
        "kinit",
        "-stdin",
        "smbpasswd",
    ];
    (text.contains('|') || text.contains("<<<")) && marks.iter().any(|mark| text.contains(mark))
}

/// Says whether the command writes a password into a pipe: `echo X | docker login --password-stdin`.
pub(super) fn is_fed(command: &[&str]) -> bool {
    if let Some(at) = command.iter().position(|word| word.starts_with("<<<")) {
        let inner = command
            .get(at)
            .and_then(|word| word.strip_prefix("<<<"))
            .filter(|word| !word.is_empty());
        return inner
            .or_else(|| command.get(at + 1).copied())
            .is_some_and(is_fed_word);
    }
    let [first, .., last] = command else {
        return false;
    };
    ["echo", "printf", "print", "Write-Output"].contains(first) && is_fed_word(last)
}

/// Says whether the words are of a `.netrc` file and have its password.
pub(super) fn in_netrc(command: &[&str]) -> bool {
    let follows = |label: &str| {
        command
            .iter()
            .position(|word| *word == label)
            .and_then(|at| command.get(at + 1))
            .copied()
    };
    follows("login").is_some() && follows("password").is_some_and(value::is_literal)
}

impl Program {
    /// Says whether the arguments have a password in the clear.
    pub(super) fn is_given(&self, arguments: &[&str]) -> bool {
        if !self.needs.is_empty() && !arguments.contains(&self.needs) {
            return false;
        }
        let flags = arguments.iter().enumerate().any(|(at, word)| {
            let next = arguments.get(at + 1).copied().unwrap_or_default();
            self.is_flag(word, next)
        });
        flags || self.is_at_position(arguments)
    }

    /// Says whether the word, alone or with the next one, gives a password.
    fn is_flag(&self, word: &str, next: &str) -> bool {
        let attached = self
            .attached
            .iter()
            .filter_map(|flag| word.strip_prefix(flag))
            .any(value::is_literal);
        let separate =
            self.next.contains(&word) && !next.starts_with('-') && value::is_literal(next);
        attached
            || separate
            || self
                .pairs
                .iter()
                .any(|(flag, sign)| is_pair(word, next, flag, *sign))
    }

    /// Says whether the password stands at its place among the arguments.
    fn is_at_position(&self, arguments: &[&str]) -> bool {
        let plain = || {
            arguments
                .iter()
                .copied()
                .filter(|word| !word.starts_with(['-', '/']))
        };
        match self.position {
            Position::None => false,
            Position::After(word, distance) => {
                let mut rest = plain().skip_while(|entry| !entry.eq_ignore_ascii_case(word));
                rest.nth(distance).is_some_and(|word| {
                    // `vault login token=X` names what it gives.
                    let given = word.split_once('=').map_or(word, |(_, given)| {
                        if given.is_empty() { word } else { given }
                    });
                    value::is_literal(given)
                })
            }
            Position::LastWith(flag) => {
                let wanted = flag.is_empty()
                    || arguments
                        .iter()
                        .any(|word| word.starts_with('-') && word.contains(flag));
                wanted && plain().count() >= 2 && plain().last().is_some_and(value::is_literal)
            }
            Position::Slash => plain().any(|word| {
                let user = word.split('@').next().unwrap_or_default();
                let user = user.strip_prefix("userid=").unwrap_or(user);
                !word.contains("//")
                    && user.split_once('/').is_some_and(|(name, password)| {
                        !name.is_empty() && !password.contains('/') && value::is_literal(password)
                    })
            }),
        }
    }
}

/// Says whether a flag gives a user and, behind the sign, a password.
fn is_pair(word: &str, next: &str, flag: &str, sign: char) -> bool {
    let Some(rest) = word.strip_prefix(flag).or_else(|| joined(word, flag)) else {
        return false;
    };
    let given = if rest.is_empty() {
        next
    } else {
        rest.strip_prefix('=').unwrap_or(rest)
    };
    let Some((user, password)) = given.split_once(sign) else {
        return false;
    };
    let attached_to_long = flag.starts_with("--") && !rest.is_empty() && !rest.starts_with('=');
    // The token of an interface may stand in the user's place with nothing behind the sign.
    let token = password.len() < 3 && value::is_credential(super::name::Kind::Token, user);
    !attached_to_long
        && !user.contains('/')
        && (token || value::is_literal(password) && !password.starts_with('$'))
}

/// Takes the flag as the last of several joined ones, as in `-su`.
fn joined<'a>(word: &'a str, flag: &str) -> Option<&'a str> {
    let letters = word.strip_prefix('-')?;
    let last = flag.strip_prefix('-').filter(|letter| letter.len() == 1)?;
    let many = letters.len() <= 8 && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    (many && letters.ends_with(last)).then_some("")
}

/// Says whether a word that is written into a pipe is a password, or a user with one.
fn is_fed_word(word: &str) -> bool {
    let password = word.rsplit_once(':').map_or(word, |(_, password)| password);
    value::is_literal(password) && !word.contains(' ')
}
