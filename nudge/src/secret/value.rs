//! The value under a telling name: a credential, a reference to one, or a placeholder.

use std::sync::LazyLock;

use super::name::Kind;
use super::shape;
use super::word_list::WordList;

/// Beginnings of values that say where a credential is kept instead of being one.
static REFERENCES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    "op:// vault: vault:// sops: kms: ssm: arn: secret: secret/ secrets/ secrets. file: env: env. \
    keyring: keychain: gcp: gsm: sm:// awssm: aws-sm: azurekv: akv: kv/ @microsoft.keyvault enc[ \
    enc( {cipher} ref+ ref: doppler: bws: bw: infisical: var. local. data. module. process.env \
    os.environ os.getenv system.getenv import.meta.env config. settings. self. this. inputs. \
    github.token credentials( lookup( projects/ fn:: cmd: exec: pass: stdin fd: ssh-ed25519 \
    ssh-rsa ecdsa-sha2 from_env prompt ask"
        .split(' ')
        .collect()
});

/// Words that mark a value as one to be replaced.
static PLACEHOLDERS: WordList = WordList::new(
    "\
    your yours example changeme placeholder redacted dummy replace replaceme insert todo \
    fixme sample here hidden masked removed omitted fake unset notset mytoken mypassword \
    mysecret",
);

/// Passwords so weak and common that they protect nothing.
static WEAK: WordList = WordList::new(
    "\
    root admin password passwd pass test testing postgres postgresql mysql mariadb guest \
    secret changeme changeit default example user username dev local minioadmin minio \
    rabbitmq redis mongo mongodb toor letmein qwerty 1234 12345 123456 12345678 pwd token \
    none null nil true false yes no on off empty prompt stdin docker app elastic sa demo foo \
    bar secretpassword mysecretpassword foobar vagrant android",
);

/// How many bytes a credential under a name may have.
const VALUE_MAX: usize = 4096;

/// Says whether a value under a name of the given kind is a credential.
pub(super) fn is_credential(kind: Kind, value: &str) -> bool {
    let value = value.trim();
    if !may_be_credential(value) {
        return false;
    }
    // What only counts when it is random has capitals or digits.
    let plain = |byte: u8| !byte.is_ascii_uppercase() && !byte.is_ascii_digit();
    if kind == Kind::Weak && value.bytes().all(plain) {
        return false;
    }
    // The cheap question comes first, for most values are plain words.
    let natural = shape::is_natural_name(value) && !has_odd_sign(value);
    if natural && kind != Kind::Password {
        return false;
    }
    let random = shape::is_random(value);
    if shape::is_long_hex(value) {
        return true;
    }
    if kind == Kind::Weak && !random || is_indirect(value) {
        return false;
    }
    if shape::is_uuid(value) {
        return kind != Kind::Weak;
    }
    if is_location(value) || shape::is_fingerprint(value) {
        return false;
    }
    match kind {
        Kind::Weak => random,
        Kind::Token => random || value.len() >= 8 && has_two_kinds(value),
        Kind::Password => random || is_password(value, natural),
    }
}

/// Says whether a value is one word of a length that credentials have; most values are not, whatever their name.
pub(super) fn may_be_credential(value: &str) -> bool {
    let value = value.trim();
    (5..=VALUE_MAX).contains(&value.len()) && !value.bytes().any(|byte| byte.is_ascii_whitespace())
}

/// Says at little cost that a value is no credential under any name: short words in small letters.
pub(super) fn is_plain(value: &str) -> bool {
    let mut run = 0;
    value.bytes().all(|byte| {
        run = if byte.is_ascii_lowercase() {
            run + 1
        } else {
            0
        };
        run <= 24
            && (run > 0 || matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b'=' | b',' | b' '))
    })
}

/// Says whether a value that can only be a password, such as a flag's, is given in the clear.
pub(super) fn is_literal(value: &str) -> bool {
    value.len() >= 3
        && !value.bytes().any(|byte| byte.is_ascii_whitespace())
        && !is_indirect(value)
        && !is_port(value)
        && !is_file(value)
        && !shape::is_path(value)
        && !is_weak(value)
}

/// Says whether the password is too common to protect anything.
pub(super) fn is_weak(value: &str) -> bool {
    WEAK.has(value)
}

/// Says whether the value stands for a credential without being one: a reference or a placeholder.
pub(super) fn is_indirect(value: &str) -> bool {
    is_reference(value) || is_placeholder(value)
}

/// Says whether the value names a place from which the credential comes.
fn is_reference(value: &str) -> bool {
    if ["${", "$(", "{{", "{%", "<%", "`", "#{", "@{", "$env:"]
        .iter()
        .any(|mark| value.contains(mark))
    {
        return true;
    }
    if REFERENCES
        .iter()
        .any(|start| shape::starts_with_ignore_case(value, start))
        && !shape::is_random(value)
    {
        return true;
    }
    // A pattern that looks for credentials is none.
    let patterns = ["[^", "[a-z", "[A-Z", "[0-9", "\\S", "\\w", "\\d"];
    if value.starts_with(".*") || patterns.iter().any(|mark| value.contains(mark)) {
        return true;
    }
    is_variable(value)
        || is_call(value)
        || is_flag(value)
        || is_tag(value)
        || (value.starts_with('@') && shape::is_path(value.get(1..).unwrap_or_default()))
}

/// Says whether the value is a variable of a shell: `$NAME`, `%NAME%`, `$1`, `$NAME/…`.
fn is_variable(value: &str) -> bool {
    if let Some(name) = value
        .strip_prefix('%')
        .and_then(|rest| rest.strip_suffix('%'))
    {
        return shape::is_natural_name(name);
    }
    let Some(rest) = value.strip_prefix('$') else {
        return false;
    };
    let end = rest
        .find(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'))
        .unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    let plain = after
        .chars()
        .all(|letter| !matches!(letter, '!' | '^' | '*' | '#' | '&' | '?'));
    plain
        && (name.is_empty()
            || shape::is_natural_name(name)
            || !name.bytes().any(|byte| byte.is_ascii_lowercase()))
}

/// Says whether the value is the next flag, or `-` for the standard input; a password may begin so, too.
fn is_flag(value: &str) -> bool {
    let Some(name) = value.strip_prefix('-') else {
        return false;
    };
    let name = name.split('=').next().unwrap_or_default();
    let mut signs = name.bytes().filter(|byte| !byte.is_ascii_alphanumeric());
    shape::is_natural_name(name) && signs.all(|byte| matches!(byte, b'-' | b'_' | b'.'))
}

/// Says whether the value is a tag of YAML that says where the value comes from: `!vault`, `!Ref`.
fn is_tag(value: &str) -> bool {
    let is_named = |byte: u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b':');
    let name = value
        .strip_prefix('!')
        .map(|name| name.strip_prefix('!').unwrap_or(name));
    name.is_some_and(|name| name.bytes().all(is_named))
}

/// Says whether the value is an expression of a program: `getToken(…)`, `os.environ["X"]`.
fn is_call(value: &str) -> bool {
    let Some(at) = value.find(['(', '[']) else {
        return false;
    };
    let (head, rest) = value.split_at(at);
    let opened_late = rest.ends_with([')', ']', '(', '[', ';', ',', '"', '\'']) || rest.len() > 2;
    head.len() >= 2
        && opened_late
        && shape::is_natural_name(head)
        && head
            .bytes()
            .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'.' | b'_' | b':'))
}

/// Says whether the value is one that a reader has to replace, or a mask over a removed one.
fn is_placeholder(value: &str) -> bool {
    if value.is_empty()
        || value.starts_with('<')
        || value.starts_with('…')
        || value.starts_with("...")
        || value.ends_with("...")
    {
        return true;
    }
    if (value.starts_with('[') && value.ends_with(']'))
        || (value.starts_with('{') && value.ends_with('}'))
    {
        return true;
    }
    let masks = ["xxxx", "XXXX", "****", "....", "••••"];
    let masked = masks.iter().any(|mask| value.contains(mask)) && !shape::is_random(value);
    if masked || shape::distinct(value) <= 2 {
        return true;
    }
    if value.to_ascii_lowercase().contains("example") && shape::is_natural_name(value) {
        return true;
    }
    // `yourStrong(!)Password`, and the keys of AWS's documentation.
    let after = value.strip_prefix("your").unwrap_or_default();
    if after.starts_with(|letter: char| letter.is_ascii_uppercase())
        || value.ends_with("EXAMPLEKEY")
    {
        return true;
    }
    value
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| PLACEHOLDERS.has(word))
        && !shape::is_random(value)
}

/// Says whether the value has characters of at least two kinds, as machine-made tokens do.
fn has_two_kinds(value: &str) -> bool {
    let kinds = shape::kinds(value).into_iter().filter(|has| *has);
    kinds.count() >= 2 || value.len() >= 20
}

/// Says whether the value has a sign that no identifier has, next to letters and digits.
fn has_odd_sign(value: &str) -> bool {
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    digit
        && value.bytes().any(|byte| {
            matches!(
                byte,
                b'!' | b'^' | b'#' | b'%' | b'~' | b'&' | b'$' | b'*' | b'+'
            )
        })
}

/// Says whether the value could be a chosen password: letters with digits, with signs, or in mixed case.
fn is_password(value: &str, natural: bool) -> bool {
    if is_weak(value) {
        return false;
    }
    if shape::is_decimal(value) {
        return value.len() >= 6;
    }
    let digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let letter = value.bytes().any(|byte| byte.is_ascii_alphabetic());
    let sign = value.bytes().any(|byte| {
        byte.is_ascii_punctuation()
            && !matches!(
                byte,
                b'-' | b'_' | b'.' | b'/' | b':' | b',' | b'\'' | b'(' | b')' | b'|'
            )
    });
    u8::from(digit) + u8::from(letter) + u8::from(sign) >= 2 || !natural
}

/// Says whether the value is an address, a path, or a version, which other rules look at.
pub(super) fn is_location(value: &str) -> bool {
    value.contains("://")
        || shape::is_path(value)
        || is_port(value)
        || is_file(value)
        || is_version(value)
}

/// Says whether the value is a number of up to five digits or a mapping of such numbers.
pub(super) fn is_port(value: &str) -> bool {
    value
        .split([':', '/', '.'])
        .all(|part| part.len() <= 5 && shape::is_decimal(part))
}

/// Says whether the value is a file name with a usual ending.
pub(super) fn is_file(value: &str) -> bool {
    let known = [
        "pem", "key", "txt", "json", "yaml", "yml", "env", "toml", "ini", "cfg", "conf", "p12",
        "pfx", "jks", "crt", "cer", "gpg", "asc", "age", "enc", "kdbx", "rs", "py", "go", "ts",
        "js", "tsx", "rb", "java", "md", "sql", "sh", "css", "xml",
    ];
    value
        .rsplit_once('.')
        .is_some_and(|(stem, ending)| known.contains(&ending) && shape::is_natural_name(stem))
}

/// Says whether the value is a version: `v1.2.3`, `2.0.1-beta.2`.
fn is_version(value: &str) -> bool {
    let number = value.strip_prefix('v').unwrap_or(value);
    number.split('.').count() >= 3
        && number.split('.').take(2).all(shape::is_decimal)
        && shape::is_natural_name(number)
}
