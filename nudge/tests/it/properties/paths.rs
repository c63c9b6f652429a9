//! Working folders of any spelling.

use nudge::{Context, GetHint, Nudge, SetHint};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::cases;
use super::stage::json;

const PIECES: [&str; 12] = [
    "/", "\\", "..", ".", "a", "work", "C:", "z:", "...", " ", "é", "//",
];

fn spelling() -> impl Strategy<Value = String> {
    vec(select(&PIECES[..]), 0..9).prop_map(|pieces| pieces.concat())
}

fn normal(cwd: &str) -> String {
    Context::new().cwd(cwd).facts().cwd.clone().unwrap()
}

fn is_absolute(path: &str) -> bool {
    let after_drive = path.get(1..).and_then(|rest| rest.strip_prefix(':'));
    path.starts_with('/') || after_drive.is_some_and(|rest| rest.starts_with('/'))
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn normalising_twice_is_normalising_once(cwd in spelling()) {
        let once = normal(&cwd);
        prop_assert_eq!(normal(&once), once);
    }

    #[test]
    fn a_normal_path_is_as_plain_as_can_be(cwd in spelling()) {
        let path = normal(&cwd);
        prop_assert!(!path.contains('\\'));
        prop_assert!(!path.contains("//"));
        prop_assert!(path.split('/').all(|part| part != "."), "{}", path);
        prop_assert!(path.len() <= 1 || !path.ends_with('/'), "{}", path);
        if is_absolute(&path) {
            prop_assert!(path.split('/').all(|part| part != ".."), "{}", path);
        }
    }

    #[test]
    fn a_stated_folder_is_stated_again_by_its_json(cwd in spelling()) {
        let context = Context::new().cwd(&cwd);
        let again: Context = serde_json::from_value(json(&context)).unwrap();
        prop_assert_eq!(again, context);
    }

    #[test]
    fn a_spelling_of_a_folder_does_not_matter(detours in vec(0..5_usize, 0..6)) {
        let detour = |number: &usize| ["", "x/../", "./", "/", ".//x/y/../../"][*number];
        let detours: String = detours.iter().map(detour).collect();
        let nudge = Nudge::default();
        nudge.set_hint(SetHint::new("api", "build", "make").cwd_glob("/work/api")).unwrap();
        let here = Context::new().cwd(format!("/{detours}work/{detours}api/"));
        prop_assert!(nudge.get_hint(GetHint::new("api", "build").context(here)).is_ok());
    }
}
