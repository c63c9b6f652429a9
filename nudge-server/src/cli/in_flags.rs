//! What the store says, in the words of a command line: flags instead of fields.

/// Sentences that speak of fields, and what they are to a hand.
const PHRASES: [(&str, &str); 12] = [
    (
        "give its `scope`, or a `context` to choose as a get would",
        "name one by its `--scope-…` flags",
    ),
    (
        "a query with `include_ineligible` shows the scopes there are",
        "`nudge why` shows those there are",
    ),
    (
        "several of `scope`, `context` and `all` are given; each chooses, so give one",
        "`--scope-…` flags, flags of where you are and `--all` are given together; each chooses, so give one",
    ),
    (
        "export without `include_secrets`",
        "leave out `--include-secrets`",
    ),
    ("such as `PT2H`, `P7D`", "such as `2h`, `7d`"),
    (
        "; list the proposals to see which do",
        "; `nudge proposals` lists those that do",
    ),
    ("unknown field `meta.", "`--clear` does not know `"),
    ("state `cwd` in the context", "give `--cwd`"),
    ("state `root` in the context", "give `--root`"),
    ("state `repo` in the context", "give `--repo`"),
    ("state `branch` in the context", "give `--branch`"),
    ("state it in the context", "give it by `--env`"),
];

/// Fields with which a sentence begins, and that are flags.
const FIELDS: &str = "ttl limit max_tokens alternatives delta outcome regex mode format";

/// The same sentence about flags. What is quoted in it is somebody's own and stays.
pub(crate) fn in_flags(sentence: &str) -> String {
    let phrases = PHRASES.iter();
    let sentence = phrases.fold(sentence.to_owned(), |sentence, (fields, flags)| {
        sentence.replace(fields, flags)
    });
    let parts = sentence.split('`').enumerate().map(|(at, part)| {
        if at % 2 == 1 {
            return part.to_owned();
        }
        let words = part.split(' ').enumerate().map(|(word_at, word)| {
            let name = word.trim_end_matches([':', ',', ';']);
            let is_first = at == 0 && word_at == 0;
            match flag(name).or_else(|| {
                (is_first && FIELDS.split(' ').any(|field| field == name)).then(|| typed(name))
            }) {
                Some(flag) => word.replacen(name, &flag, 1),
                None => word.to_owned(),
            }
        });
        words.collect::<Vec<_>>().join(" ")
    });
    parts.collect::<Vec<_>>().join("`")
}

/// What a hand types for a field of a request.
fn flag(field: &str) -> Option<String> {
    let field = field.split('[').next().unwrap_or_default();
    let name = match field {
        "value.abs" | "value.cmd" | "value.body" | "value.data" => return Some("the value".into()),
        "value.os" => "path_os",
        "value.defaults" => "default",
        "meta.scope.env_required" | "meta.scope.env_match" => "scope_env",
        "meta.scope" => "scope_…",
        "context.files_open" => "file",
        _ => match field.strip_prefix("meta.scope.") {
            Some(name) => return Some(typed(&format!("scope_{name}"))),
            None => ["meta.", "value.", "context."]
                .iter()
                .find_map(|start| field.strip_prefix(start))?,
        },
    };
    Some(typed(name))
}

fn typed(name: &str) -> String {
    format!("`--{}`", name.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_flags_and_what_is_quoted_stays() {
        for (said, expected) in [
            (
                "meta.priority is out of range; give an integer from 1 to 10",
                "`--priority` is out of range; give an integer from 1 to 10",
            ),
            (
                "value.os and meta.scope.os have no system in common; give meta.scope the systems of the path",
                "`--path-os` and `--scope-os` have no system in common; give `--scope-…` the systems of the path",
            ),
            ("limit is out of range", "`--limit` is out of range"),
            (
                "outcome: unknown value `bad`",
                "`--outcome`: unknown value `bad`",
            ),
            (
                "`meta.priority` has no `limit`; it has `ttl`",
                "`meta.priority` has no `limit`; it has `ttl`",
            ),
            ("the store is full", "the store is full"),
            ("meta.scope.cwd_glob[0]: bad", "`--scope-cwd-glob`: bad"),
        ] {
            assert_eq!(in_flags(said), expected);
        }
    }
}
