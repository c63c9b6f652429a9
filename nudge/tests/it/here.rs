//! What `Context::filled_in` reads from git's files, beside what git itself says.

mod stage;
mod stated;

use std::fs;
#[cfg(unix)]
use std::os::unix::fs::symlink;

use nudge::Repo;

use stage::Stage;

const MAILER: &str = "git:github.com/globex/mailer";
const MAIN: &str = "ref: refs/heads/main\n";

#[test]
fn a_plain_repository_gives_its_origin_and_branch() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q -b main repo");
    stage.git("repo", "remote add fork https://github.com/ola/mailer");
    stage.git("repo", "remote add origin git@github.com:globex/mailer.git");
    stage.git("repo", "commit -q --allow-empty -m first");
    stage.finds("repo", MAILER, "main");
    assert_eq!(stage.git("repo", "branch --show-current"), "main");
}

#[test]
fn a_nested_folder_belongs_to_the_repository_around_it() {
    let stage = Stage::new();
    stage.cloned("repo", "git@github.com:globex/mailer");
    stage.folder("repo/src/deep");
    stage.finds("repo/src/deep", MAILER, "main");
    stage.finds_root("repo/src/deep", "repo");
    stage.finds_root("repo", "repo");
    // An empty `.git` is no repository, so the search goes on above it.
    stage.folder("repo/src/.git");
    stage.finds("repo/src/deep", MAILER, "main");
}

#[cfg(unix)]
#[test]
fn a_symbolic_link_is_followed_before_the_search() {
    let stage = Stage::new();
    stage.repository("repo/.git", MAIN, "");
    stage.folder("repo/src");
    symlink(stage.path("repo/src"), stage.path("link")).unwrap();
    stage.finds_local("link", "repo", "main");
    stage.finds_root("link", "repo");
    // The root has the spelling of the cwd where that is below it.
    symlink(stage.path("repo"), stage.path("alias")).unwrap();
    symlink(stage.path("repo/src"), stage.path("repo/inner")).unwrap();
    stage.finds_root("alias/src", "alias");
    stage.finds_root("alias/inner", "alias");
    stage.finds_root("repo/inner", "repo");
}

#[test]
fn without_an_origin_the_only_remote_counts_and_of_several_none() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q -b dev repo");
    let remote = "remote add upstream https://mara:pw@github.com/globex/mailer";
    stage.git("repo", remote);
    stage.finds("repo", MAILER, "dev");
    stage.git("repo", "remote add b https://github.com/globex/b");
    stage.finds_local("repo", "repo", "dev");
}

#[test]
fn a_repository_without_a_remote_is_its_folder() {
    let stage = Stage::new();
    stage.repository("100%20 sure/.git", MAIN, "[core]\n\tbare = false\n");
    let (repo, branch) = stage.seen("100%20 sure");
    assert_eq!(repo, Some(stage.local("100%2520 sure")));
    assert_eq!(branch.as_deref(), Some("main"));
    // A `config` that is not there has no remotes either.
    fs::remove_file(stage.path("100%20 sure/.git/config")).unwrap();
    assert_eq!(stage.seen("100%20 sure"), (repo, branch));
}

#[test]
fn a_remote_that_names_no_repository_gives_the_folder() {
    let stage = Stage::new();
    for url in [
        "../mailer.git",
        "globex/mailer",
        "bzr::lp:mailer",
        "ssh://",
        "",
    ] {
        stage.cloned("repo", url);
        stage.finds_local("repo", "repo", "main");
    }
}

#[test]
fn a_host_without_a_dot_is_still_a_host() {
    let stage = Stage::new();
    stage.cloned("repo", "gitbox:globex/mailer");
    let context = stage.context("repo");
    let scope = Repo::parse("git:globex/mailer").unwrap();
    assert!(scope.allows(&context.facts().repos[0]));
}

#[test]
fn a_worktree_has_its_own_branch_and_the_main_one_s_repository() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q -b main repo");
    stage.git("repo", "commit -q --allow-empty -m first");
    stage.git("repo", "worktree add -q -b hotfix/mail ../tree");
    stage.folder("tree/src");
    stage.finds_local("tree/src", "repo", "hotfix/mail");
    stage.finds_root("tree/src", "tree");
    stage.finds_local("repo/.git/worktrees/tree", "repo", "hotfix/mail");
    stage.finds_local("repo/.git/refs", "repo", "main");
    stage.finds_root("repo/.git/refs", None);
    stage.git("repo", "remote add origin git@github.com:globex/mailer.git");
    stage.finds("tree", MAILER, "hotfix/mail");
}

#[test]
fn a_submodule_is_its_own_repository() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q -b main part");
    stage.git("part", "commit -q --allow-empty -m first");
    stage.git("", "init -q -b main whole");
    stage.git("whole", "remote add origin git@github.com:globex/whole.git");
    let add = "-c protocol.file.allow=always submodule add -q";
    stage.git(
        "whole",
        &format!("{add} {} lib", stage.path("part").display()),
    );
    let url = stage.git("whole/lib", "config remote.origin.url");
    let seen = stage.seen("whole/lib");
    assert_eq!(seen.0, Repo::parse(&url).map(|repo| repo.to_string()));
    assert_eq!(
        seen.1.unwrap(),
        stage.git("whole/lib", "branch --show-current")
    );
    stage.git("whole/lib", "remote remove origin");
    assert_eq!(stage.seen("whole/lib").0, Some(stage.local("whole/lib")));
    stage.finds_root("whole/lib", "whole/lib");
}

#[test]
fn a_bare_repository_is_its_own_folder() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q --bare -b trunk mailer.git");
    stage.finds_local("mailer.git", "mailer.git", "trunk");
    stage.finds_local("mailer.git/objects", "mailer.git", "trunk");
    stage.finds_root("mailer.git", None);
}

#[test]
fn a_committed_folder_does_not_pass_for_a_bare_repository() {
    let stage = Stage::new();
    let claim = "[remote \"origin\"]\nurl = git@github.com:globex/victim.git\n";
    stage.cloned("repo", "git@github.com:globex/mailer");
    stage.repository("repo/fixtures/bait", "ref: refs/heads/bait\n", claim);
    stage.folder("repo/fixtures/bait/deep");
    // Nor does one that looks like the files of a linked worktree.
    stage.file("repo/linked/HEAD", "ref: refs/heads/bait\n");
    stage.file("repo/linked/commondir", "../fixtures/bait\n");
    for place in [
        "repo/fixtures/bait",
        "repo/fixtures/bait/deep",
        "repo/linked",
    ] {
        stage.finds(place, MAILER, "main");
        stage.finds_root(place, "repo");
    }
    // A `.git` that leads nowhere is one all the same.
    stage.file("broken/.git", "gitdir: absent\n");
    stage.repository("broken/bait", MAIN, claim);
    stage.finds_nothing("broken/bait");
    // An empty folder of that name is nothing to git.
    stage.folder("plain/.git");
    stage.repository("plain/mailer.git", MAIN, "");
    stage.finds_local("plain/mailer.git", "plain/mailer.git", "main");
}

#[test]
fn a_git_file_may_point_at_a_bare_repository() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q --bare -b trunk proj/.bare");
    stage.file("proj/.git", "gitdir: ./.bare\r\n");
    stage.finds_local("proj", "proj/.bare", "trunk");
    stage.finds_root("proj", None);
    let tree = stage.git("proj", "hash-object -w -t tree /dev/null");
    let commit = stage.git("proj", &format!("commit-tree {tree} -m first"));
    stage.git("proj", &format!("worktree add -q -b dev dev {commit}"));
    stage.finds_local("proj/dev", "proj/.bare", "dev");
    stage.finds_root("proj/dev", "proj/dev");
    stage.file(
        "proj/.git",
        &format!("gitdir: {}\n", stage.path("proj/.bare").display()),
    );
    stage.git(
        "proj",
        "config remote.origin.url git@github.com:globex/mailer.git",
    );
    stage.finds("proj", MAILER, "trunk");
}

#[test]
fn a_head_that_names_no_branch_gives_none() {
    let stage = Stage::new();
    for head in [
        "0123456789abcdef0123456789abcdef01234567\n",
        &"a".repeat(64),
        "ref: refs/tags/v1\n",
        "ref: refs/heads/.invalid\n",
        "ref: refs/heads/\n",
    ] {
        stage.repository("repo/.git", head, "");
        stage.finds_local("repo", "repo", None);
    }
}

#[test]
fn an_unborn_branch_is_a_branch_and_may_have_slashes() {
    let Some(stage) = Stage::of_git() else { return };
    stage.git("", "init -q -b feature/ü/2 repo");
    stage.finds_local("repo", "repo", "feature/ü/2");
    assert_eq!(stage.git("repo", "branch --show-current"), "feature/ü/2");
}

#[test]
fn include_and_instead_of_are_ignored() {
    let stage = Stage::new();
    stage.file(
        "more",
        "[remote \"origin\"]\nurl = https://elsewhere.test/a/b\n",
    );
    let config = "[include]\npath = ../../more\n[url \"https://elsewhere.test/\"]\n\
                  insteadOf = https://github.com/\n[remote \"origin\"]\nurl = https://github.com/globex/mailer\n";
    stage.repository("repo/.git", MAIN, config);
    stage.finds("repo", MAILER, "main");
}

#[test]
fn config_is_read_by_the_rules_of_git() {
    let stage = Stage::new();
    let origin = "https://github.com/globex/mailer";
    for config in [
        format!("[remote \"origin\"] url = {origin} ; why\n"),
        format!("[REMOTE \"origin\"]\r\n\tURL={origin}\r\n"),
        format!("\u{feff}[remote.Origin]\nurl = {origin}"),
        format!("# [remote \"x\"]\n[remote\t\"origin\"]\nfetch\nurl = \"{origin}\" # why\n"),
        "[remote \"origin\"]\nurl = https://github.com/\\\nglobex/mailer\n".to_owned(),
        "[remote \"o\\rigin\"]\nurl = https://github.com/\"globex\"/mailer\n".to_owned(),
        format!("[remote \"origin\"]\nurl = {origin}\nurl = https://second.test/a/b\n"),
        format!(
            "[remote \"Origin\"]\nurl = x:y\n[remote \"origin\"]\npushurl = z:y\nurl = {origin}\n"
        ),
    ] {
        stage.repository("repo/.git", MAIN, &config);
        stage.finds("repo", MAILER, "main");
        if let Some(said) = stage.ask_git("repo", "config remote.origin.url") {
            assert!(said == origin || config.contains("second.test"), "{config}");
        }
    }
}

#[test]
fn what_cannot_be_read_gives_nothing() {
    let stage = Stage::new();
    for (head, config) in [
        ("", ""),
        ("main\n", ""),
        ("ref: main\n", ""),
        ("ref: refs/heads/a\nb\n", ""),
        ("0123\n", ""),
        // What git itself refuses.
        (MAIN, "[remote \"origin\"\nurl = x:y\n"),
        (MAIN, "[remote \"origin\"]\nurl = \"x:y\n"),
        (MAIN, "= x\n"),
    ] {
        stage.repository("repo/.git", head, config);
        stage.finds_nothing("repo");
    }
    fs::write(stage.path("repo/.git/HEAD"), b"ref: refs/heads/\xff\n").unwrap();
    stage.finds_nothing("repo");
    fs::remove_file(stage.path("repo/.git/HEAD")).unwrap();
    stage.folder("repo/.git/HEAD");
    stage.finds_nothing("repo");
    stage.repository("large/.git", MAIN, &"#".repeat(1024 * 1024 + 1));
    stage.finds_nothing("large");
}

#[test]
fn a_git_file_that_leads_nowhere_gives_nothing() {
    let stage = Stage::new();
    stage.repository(".git", MAIN, "");
    for text in [
        "gitdir: .git\n",
        "gitdir: ../b/.git\n",
        "gitdir: absent\n",
        "gitdir:",
        "",
        "gitdir: \0\n",
    ] {
        stage.file("a/.git", text);
        stage.file("b/.git", "gitdir: ../a/.git\n");
        stage.finds_nothing("a");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_is_not_waited_for() {
    let stage = Stage::new();
    for name in ["HEAD", "config", "commondir"] {
        let folder = format!("no-{name}");
        stage.repository(&format!("{folder}/.git"), MAIN, "");
        let place = format!("{folder}/.git/{name}");
        stage.pipe(&place);
        stage.finds_nothing(&folder);
    }
    stage.pipe("pipe/.git");
    stage.finds_nothing("pipe");
}

#[cfg(unix)]
#[test]
fn a_head_that_is_a_link_names_its_branch() {
    let stage = Stage::new();
    stage.repository("repo/.git", MAIN, "");
    fs::remove_file(stage.path("repo/.git/HEAD")).unwrap();
    symlink("refs/heads/old", stage.path("repo/.git/HEAD")).unwrap();
    stage.finds_local("repo", "repo", "old");
}
