//! `docs/openrpc.json`: made here, and that all of it is true.

mod described;
mod document;
mod examples;

use std::sync::Arc;

use nudge::{Config, ManualClock, Via, from_json};
use nudge_server::primary::Primary;
use nudge_server::primary::call;
use nudge_server::primary::events::to_event;
use nudge_server::primary::operations::Method;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};

use self::described::Described;
pub(crate) use self::document::document;
use crate::conformance::topics;
use crate::golden::is_as_written_down;

fn primary() -> Primary {
    Primary::with_system_clock(Config::default(), 8765)
}

/// Calls a method as HTTP does; an error is its object.
fn call(primary: &Primary, method: &str, params: &Value) -> Result<Value, Value> {
    let sender = Sender::new(Via::Http, None);
    let answer = Method::named(method)
        .and_then(|method| call::call(primary, &sender.caller(), method, &params.to_string()));
    match answer {
        Ok(result) => Ok(serde_json::from_str(result.get()).unwrap()),
        Err(fault) => Err(serde_json::to_value(&fault).unwrap()),
    }
}

#[test]
fn the_document_is_as_written_down() {
    is_as_written_down("docs/openrpc.json", &format!("{:#}\n", document()));
}

#[test]
fn what_is_listed_is_what_is_answered() {
    let document = document();
    let listed = document["methods"].as_array().unwrap().iter();
    let listed: Vec<&str> = listed.filter_map(|entry| entry["name"].as_str()).collect();
    assert!(listed.iter().copied().eq(Method::all().map(Method::name)));
    let code = |method: &str| {
        let answer = call(&primary(), method, &json!({}));
        answer.err().map(|error| error["code"].clone())
    };
    for method in listed {
        assert_ne!(code(method), Some(json!(-32601)), "{method}");
    }
    assert_eq!(code("nudge.nope"), Some(json!(-32601)));
    assert_eq!(code("set_hint"), Some(json!(-32601)));
}

/// What is read although the schemas, which have one spelling for a thing, do not list it.
const UNLISTED: &str = "the other names of darwin are read as darwin";

/// What is refused by a schema as well.
const BY_SCHEMA: [&str; 5] = [
    "missing_field",
    "range",
    "schema_version",
    "unknown_field",
    "unknown_value",
];

#[test]
fn every_vector_fits_the_schemas() {
    let described = Described::new(document());
    let (mut answers, mut refusals) = (0, 0);
    for case in topics().into_iter().flat_map(|topic| topic.cases) {
        let start = case.steps[0].at.as_deref().unwrap().parse().unwrap();
        let clock = Arc::new(ManualClock::at(start));
        let config = from_json(case.config.to_string().as_bytes()).unwrap();
        let primary = Primary::new(config, Arc::clone(&clock), 0);
        for step in &case.steps {
            if let Some(at) = &step.at {
                clock.set(at.parse().unwrap());
            }
            let method = format!("nudge.{}", step.call);
            let params = &step.params.value;
            let (said, taken) = (
                call(&primary, &method, params),
                described.takes(&method, params),
            );
            let fits = match &said {
                Ok(result) => {
                    answers += 1;
                    let is_listed = case.name != UNLISTED;
                    let taken = if is_listed { taken } else { Ok(()) };
                    taken.and_then(|()| described.gives(&method, result))
                }
                Err(error) => {
                    refusals += 1;
                    let detail = error["data"]["detail"].as_str().unwrap_or_default();
                    let seen = !BY_SCHEMA.contains(&detail) || taken.is_err();
                    assert!(seen, "{}: {method} takes {params:#}", case.name);
                    described.refuses(&method, error)
                }
            };
            fits.unwrap_or_else(|wrong| {
                panic!(
                    "{}: {method} {params:#} gives {said:#?}, but {wrong}",
                    case.name
                )
            });
        }
        for change in primary.events.after(0) {
            let change = to_event(&change);
            described.part("Change", &change).unwrap_or_else(|wrong| {
                panic!("{}: an event is {change:#}, but {wrong}", case.name)
            });
        }
    }
    assert!(answers > 500 && refusals > 100, "{answers}, {refusals}");
}

#[test]
fn what_no_schema_allows_is_refused() {
    let described = Described::new(document());
    let set = |value: Value, scope: Value| json!({"component": "api", "key": "build", "value": value, "meta": {"scope": scope}});
    for (method, params) in [
        ("nudge.set_hint", set(json!(7), json!({}))),
        ("nudge.set_hint", set(json!("make"), json!({"branch": []}))),
        ("nudge.status", json!({"all": true})),
    ] {
        assert!(described.takes(method, &params).is_err(), "{params}");
        let error = call(&primary(), method, &params).unwrap_err();
        assert_eq!(error["code"], 40001, "{method} {params}: {error}");
    }
}

/// The params of an example, as they are sent.
pub(crate) fn given(example: &Value) -> Value {
    let params = example["params"].as_array().unwrap().iter();
    let params = params.map(|it| (it["name"].as_str().unwrap().to_owned(), it["value"].clone()));
    Value::Object(params.collect())
}

#[test]
fn null_is_as_good_as_absent_where_the_schema_says_so() {
    let document = document();
    for method in document["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        for param in method["params"].as_array().unwrap() {
            let Some(example) = method["examples"].get(0) else {
                continue;
            };
            let mut params = given(example);
            let field = param["name"].as_str().unwrap();
            params[field] = Value::Null;
            let takes_null = param["schema"]["anyOf"]
                .as_array()
                .is_some_and(|any| any.contains(&json!({"type": "null"})));
            assert_ne!(takes_null, param["required"] == true, "{name} {field}");
            let answer = call(&primary(), name, &params);
            let refused = answer.is_err_and(|error| error["code"] == 40001);
            assert_eq!(refused, !takes_null, "{name} {field}");
        }
    }
}

#[test]
fn the_examples_fit_the_schemas() {
    let described = Described::new(document());
    for method in document()["methods"].as_array().unwrap() {
        let name = method["name"].as_str().unwrap();
        for example in method["examples"].as_array().into_iter().flatten() {
            described.takes(name, &given(example)).unwrap();
            described.gives(name, &example["result"]["value"]).unwrap();
        }
    }
}
