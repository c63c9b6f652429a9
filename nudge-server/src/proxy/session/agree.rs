//! Whether two processes speak the same language.

use nudge::{Error, ErrorKind};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::Fault;
use crate::wire::identity::{PROTOCOL, VERSION};

/// Refuses a server that speaks another language than we do. It is not ended: it
/// serves others, who may agree with it.
pub(super) fn agree(hello: &RawValue) -> Result<(), Fault> {
    #[derive(Deserialize)]
    struct Hello {
        version: String,
        protocol: String,
    }
    let hello: Hello = nudge::from_json(hello.get().as_bytes())?;
    if speaks(&hello.protocol) {
        return Ok(());
    }
    let words = format!(
        "the server that runs is nudge {} with protocol {}, this is nudge {VERSION} with protocol \
         {PROTOCOL}; end it with its own `nudge stop`, or use the same version",
        hello.version, hello.protocol
    );
    Err(Fault::Core(Error::new(ErrorKind::Unavailable, words)))
}

/// Whether a protocol is ours, as far as it matters.
pub(crate) fn speaks(protocol: &str) -> bool {
    let major = |protocol: &str| protocol.split('.').next().map(str::to_owned);
    major(protocol) == major(PROTOCOL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hello(protocol: &str) -> Box<RawValue> {
        let json =
            serde_json::json!({"product": "nudge", "version": "9.9.9", "protocol": protocol});
        serde_json::value::to_raw_value(&json).unwrap()
    }

    #[test]
    fn servers_agree_by_the_first_number_of_the_protocol() {
        assert!(agree(&hello("1.7")).is_ok());
        for other in ["2.0", "11.0", "0.1", ""] {
            let Err(Fault::Core(error)) = agree(&hello(other)) else {
                panic!("{other:?} was agreed with");
            };
            assert_eq!(error.kind(), ErrorKind::Unavailable);
            let words = error.to_string();
            assert!(
                words.contains("9.9.9") && words.contains(VERSION),
                "{words}"
            );
        }
    }
}
