//! `Error`, `ErrorKind`, and the table of codes.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::de::{Deserialize, Deserializer};
use serde::ser::{Serialize, Serializer};

use crate::model::fix::Fix;
use crate::model::near_miss::NearMiss;
use crate::model::scope::Scope;

/// Why an operation failed.
///
/// Match on [`Error::kind`] to decide what to do; print the error to tell a
/// person. The text may improve between releases, the kind and its
/// [`code`](ErrorKind::code) may not.
///
/// # Examples
///
/// ```
/// use nudge::{ErrorKind, GetHint, Nudge};
///
/// let nudge = Nudge::default();
/// let error = nudge.get_hint(GetHint::new("http-proxy", "build")).unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::NotFound);
/// assert_eq!(error.kind().code(), 40401);
/// assert_eq!(error.data().detail.as_deref(), Some("no_slot"));
/// ```
///
/// As JSON it is the error object of JSON-RPC:
///
/// ```
/// # use nudge::{GetHint, Nudge};
/// # let error = Nudge::default().get_hint(GetHint::new("api", "build")).unwrap_err();
/// let json = serde_json::to_value(&error).unwrap();
/// assert_eq!(json["code"], 40401);
/// assert_eq!(json["data"]["reason"], "E_NOT_FOUND");
/// ```
#[derive(Debug, Clone, PartialEq, thiserror::Error, JsonSchema)]
#[error("{}", .0.message)]
#[schemars(with = "Written<'static>")]
pub struct Error(Box<Failure>);

#[derive(Debug, Clone, PartialEq)]
struct Failure {
    kind: ErrorKind,
    message: String,
    data: ErrorData,
}

/// What a program may want to know about an [`Error`]; only what applies is there.
///
/// # Examples
///
/// ```
/// use nudge::{ErrorKind, Nudge, SetHint};
///
/// let error = Nudge::default()
///     .set_hint(SetHint::new("api", "build", "make").cwd_glob("../api"))
///     .unwrap_err();
/// assert_eq!(error.kind(), ErrorKind::ScopeInvalid);
/// assert_eq!(error.data().pattern.as_deref(), Some("../api"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize, JsonSchema)]
#[serde(default)]
#[non_exhaustive]
pub struct ErrorData {
    /// One word for the case within its kind, such as `expired`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<Cow<'static, str>>,
    /// The field at fault, such as `meta.priority`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// How to fix the call; the message ends with it.
    #[serde(deserialize_with = "Fix::if_known")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<Fix>,
    /// The rule of the secret guard that was tripped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<Cow<'static, str>>,
    /// The glob at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What was there but did not fit, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub near_misses: Vec<NearMiss>,
    /// The version that the hint has; 0 when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_version: Option<u64>,
    /// The scopes among which a call must choose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<Scope>,
    /// The limit that was reached.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<Cow<'static, str>>,
    /// The value of that limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
}

/// Makes the enum of a table: the name of each kind, its code, its name in JSON and its meaning.
macro_rules! kinds {
    ($(#[$about:meta])+ $($name:ident $code:literal $reason:literal $meaning:literal;)+) => {
        $(#[$about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum ErrorKind {
            $(#[doc = $meaning] $name,)+
        }

        impl ErrorKind {
            /// Every kind. Bindings iterate this in their tests, so that a new kind
            /// cannot be forgotten in one of them.
            pub const ALL: &[ErrorKind] = &[$(ErrorKind::$name),+];

            const fn row(self) -> (i32, &'static str, &'static str) {
                match self {
                    $(ErrorKind::$name => ($code, $reason, $meaning),)+
                }
            }
        }
    };
}

kinds! {
    /// What kind of failure an [`Error`] is. The list may grow.
    NotFound 40401 "E_NOT_FOUND"
        "no such slot, context set or proposal, it has expired, or nothing in it fits the context";
    Invalid 40001 "E_INVALID"
        "a field is missing, of the wrong type, out of range, or ambiguous";
    SecretRejected 40002 "E_SECRET_REJECTED" "the secret guard refused to store something";
    ScopeInvalid 40003 "E_SCOPE_INVALID" "a glob does not compile or climbs out of its root";
    Forbidden 40301 "E_FORBIDDEN" "only the user may do this";
    Conflict 40901 "E_CONFLICT"
        "the version is not the expected one, or there is nothing to propose";
    Quota 42901 "E_QUOTA" "a limit of the store was reached";
    Unavailable 50301 "E_UNAVAILABLE"
        "what owns the store cannot be reached, or refused the change";
    Internal 50001 "E_INTERNAL" "a bug in Nudge; nothing was half-written";
}

impl ErrorKind {
    /// The number that JSON-RPC, C and the exceptions carry, such as `40401`.
    #[must_use]
    pub const fn code(self) -> i32 {
        self.row().0
    }

    /// The name that `data.reason` carries, such as `E_NOT_FOUND`.
    #[must_use]
    pub const fn reason(self) -> &'static str {
        self.row().1
    }

    /// What went wrong, as a list of all kinds has it. The message of an
    /// [`Error`] says more.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        self.row().2
    }

    fn reasons() -> Vec<&'static str> {
        ErrorKind::ALL.iter().map(|kind| kind.reason()).collect()
    }
}

impl Error {
    /// Makes an error of a kind, for code around the store: a sink that
    /// refuses a change, a surface that cannot reach its server.
    #[must_use]
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Error {
        Error(Box::new(Failure {
            kind,
            message: message.into(),
            data: ErrorData::default(),
        }))
    }

    /// Which kind of failure this is.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What a program may want to know about it.
    #[must_use]
    pub fn data(&self) -> &ErrorData {
        &self.0.data
    }

    /// What went wrong, without how to fix it.
    #[must_use]
    pub fn problem(&self) -> &str {
        let message = self.0.message.as_str();
        let fix = self.0.data.fix.map(Fix::words);
        fix.and_then(|fix| message.strip_suffix(fix))
            .unwrap_or(message)
    }

    /// The same error, with how to fix it.
    pub(crate) fn fix(mut self, fix: Fix) -> Error {
        self.0.message.push_str(fix.words());
        self.0.data.fix = Some(fix);
        self
    }

    /// An error of a kind, with one word for the case within it.
    pub(crate) fn of(kind: ErrorKind, detail: &'static str, message: impl Into<String>) -> Error {
        Error::new(kind, message).and(|data| data.detail = Some(detail.into()))
    }

    /// The error for a field; `.` is the whole of what was given.
    pub(crate) fn invalid(
        field: impl Into<String>,
        detail: &'static str,
        message: impl Into<String>,
    ) -> Error {
        Error::of(ErrorKind::Invalid, detail, message).at(field)
    }

    pub(crate) fn not_found(detail: &'static str, message: impl Into<String>) -> Error {
        Error::of(ErrorKind::NotFound, detail, message)
    }

    /// The refusal of what only the user may do; the words say what to do instead.
    pub(crate) fn forbidden(detail: &'static str, message: impl Into<String>) -> Error {
        Error::of(ErrorKind::Forbidden, detail, message)
    }

    /// The same error, about a field.
    pub(crate) fn at(self, field: impl Into<String>) -> Error {
        let field = Some(field.into()).filter(|field| field != ".");
        self.and(|data| data.field = field)
    }

    /// The same error, with what was there but did not fit.
    pub(crate) fn near(self, misses: Vec<NearMiss>) -> Error {
        self.and(|data| data.near_misses = misses)
    }

    /// The same error, with more that a program may want to know.
    pub(crate) fn and(mut self, say: impl FnOnce(&mut ErrorData)) -> Error {
        say(&mut self.0.data);
        self
    }

    /// The same error, about a field of something larger.
    pub(crate) fn within(mut self, outer: &str) -> Error {
        if let Some(field) = &mut self.0.data.field {
            *field = format!("{outer}.{field}");
        }
        self
    }
}

/// An error as JSON has it.
#[derive(serde::Serialize, JsonSchema)]
struct Written<'a> {
    /// The number of its kind, such as 40401.
    code: i32,
    /// What went wrong and what to do.
    message: &'a str,
    data: Data<'a>,
}

/// What a program may want to know about an error; only what applies is there.
#[derive(serde::Serialize, JsonSchema)]
#[schemars(rename = "ErrorData")]
struct Data<'a> {
    /// The name of its kind.
    #[schemars(extend("enum" = ErrorKind::reasons()))]
    reason: &'static str,
    #[serde(flatten)]
    data: &'a ErrorData,
}

impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = Written {
            code: self.0.kind.code(),
            message: &self.0.message,
            data: Data {
                reason: self.0.kind.reason(),
                data: &self.0.data,
            },
        };
        written.serialize(serializer)
    }
}

/// Reads what another process has written. A kind of a later version is `Internal`.
impl<'de> Deserialize<'de> for Error {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Error, D::Error> {
        #[derive(serde::Deserialize)]
        struct Read {
            code: i32,
            message: String,
            #[serde(default)]
            data: ErrorData,
        }
        let read = Read::deserialize(deserializer)?;
        let kind = ErrorKind::ALL.iter().find(|kind| kind.code() == read.code);
        let kind = kind.copied().unwrap_or(ErrorKind::Internal);
        Ok(Error::new(kind, read.message).and(|data| *data = read.data))
    }
}
