//! `nudge config`: each setting, and where it comes from.

use serde_json::{Map, Value, json};

use super::output::{Exit, Output};
use super::terminal::Terminal;
use crate::config::{
    Flags, GUARD_IS_OFF, SessionSettings, Settings, UserFile, VARIABLES, example, name_of,
};
use crate::primary::operations::ServerOperation;
use crate::wire::escape::shown;
use nudge_client::folder::Runtime;

/// Prints the settings of this process, with those of the session that runs, or of the next.
pub(crate) fn run(port: Option<u16>, out: Output) -> Exit {
    let variable = |name: &str| std::env::var_os(name).filter(|text| !text.is_empty());
    let file = UserFile::read();
    let (settings, refused) = Settings::read_each(&Flags::default(), variable, &file);
    let settings = Settings { port, ..settings };
    let terminal = Terminal::new(settings.clone(), out);
    let running = running(&terminal);
    let is_heard = |name| !refused.iter().any(|bad| bad.variable == Some(name));
    let origin = |name: &'static str, with_variable: bool| match name {
        _ if with_variable && variable(name).is_some() && is_heard(name) => name,
        _ if file.says(name) => "config.toml",
        _ => "default",
    };

    let next = settings.session_of_file_tightened();
    let session = running.as_ref().unwrap_or(&next);
    let [of_session, asked, of_file] =
        [session, &settings.session, &settings.session_of_file].map(|session| json!(session));
    let own = json!(settings);
    let folder = Runtime::place(settings.runtime_dir.as_deref());
    let (mut rows, mut notes) = (Map::new(), Vec::new());
    for variable in VARIABLES {
        let name = name_of(variable);
        let default = || serde_json::from_str(example(&name)?.split_once(" = ")?.1).ok();
        let said = of_session.get(&name).or_else(|| own.get(&name));
        let said = said.filter(|value| !value.is_null()).cloned();
        let value = said.or_else(default);
        let value = value.unwrap_or_else(|| json!(folder.to_string_lossy()));
        let by_file = of_file.get(&name).unwrap_or(&value);
        let is_asked = asked.get(&name).is_none_or(|asked| *asked == value);
        let from = match &running {
            Some(_) if of_session.get(&name).is_some() => "session",
            _ => origin(variable, is_asked),
        };
        if from == "session" && *by_file != value {
            let file = origin(variable, false);
            notes.push(format!(
                "the session has {name} = {value}, {file} {by_file}; `nudge restart` applies it"
            ));
        } else if from != "session" && !is_asked {
            notes.push(format!(
                "{variable} would loosen {name}; only config.toml, `nudge restart` and \
                 `nudge serve --foreground` may"
            ));
        }
        rows.insert(name, json!({"value": value, "from": from}));
    }
    if running.is_none() {
        notes.push("no running session says what it has; this is what a new one takes".into());
    }
    let guard = (!session.secret_guard).then(|| GUARD_IS_OFF.to_owned());
    let unused = file.unused.iter();
    let unused = unused.map(|why| format!("`{}` is not used: {why}", file.path.display()));
    let refused = refused.iter().map(|bad| bad.words.clone());
    let alarms: Vec<String> = refused.clone().chain(unused).chain(guard).collect();
    let exit = match refused.len() {
        0 => Exit::Done,
        _ => Exit::Refused,
    };
    let json = json!({"file": file.path.to_string_lossy(), "settings": rows, "notes": notes, "alarms": alarms});
    terminal.out.value(&json, |page| {
        for (name, row) in &rows {
            let line = format!("{name} = {}", row["value"]);
            let from = row["from"].as_str().unwrap_or_default();
            page.line(&format!("{:<34} # {from}", shown(&line)));
        }
        page.dim("hints are kept by default; `keep = false` in config.toml, or `CI`, ends them with the session");
        for note in &notes {
            page.warned("!", &shown(note));
        }
        for alarm in &alarms {
            page.alarmed("✘", &shown(alarm));
        }
        exit
    })
}

/// What the session has that runs; a server of an older version does not say.
fn running(terminal: &Terminal) -> Option<SessionSettings> {
    let status = terminal.call_session(ServerOperation::Status, "{}").ok()?;
    let status: Value = serde_json::from_str(status.get()).ok()?;
    serde_json::from_value(status.get("settings")?.clone()).ok()
}
