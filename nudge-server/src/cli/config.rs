//! `nudge config`: each setting, and where it comes from; and how to change one.

use clap::Args;
use serde_json::{Map, json};

use super::edit::open;
use super::output::{Exit, Output};
use super::start;
use super::status::Status;
use super::stop::Restart;
use super::terminal::{Terminal, misuse};
use crate::config::{
    Flags, GUARD_IS_OFF, Settings, UserFile, VARIABLES, example, is_ci, meant, name_of,
};
use crate::wire::Fault;
use crate::wire::escape::shown;
use nudge_client::folder::Runtime;

#[derive(Debug, Default, Args)]
#[command(after_help = "Examples:
  nudge config                   every setting, and where it comes from
  nudge config keep off          writes it into your config.toml, and restarts the server
  nudge config before stop")]
pub(crate) struct Config {
    /// The setting to show or to change, and what it is to be, such as on, 500 or 2h
    #[arg(value_name = "NAME VALUE", num_args = 0..=3)]
    words: Vec<String>,
    /// Show them all, as without a name
    #[arg(short, long, hide = true)]
    list: bool,
    /// Open the file in your editor
    #[arg(short, long, conflicts_with = "words")]
    edit: bool,
}

impl Config {
    pub(crate) fn run(&self, port: Option<u16>, out: Output) -> Exit {
        let settings = || Settings::read(&Flags::default()).unwrap_or_default();
        let terminal = Terminal::new(Settings { port, ..settings() }, out);
        let words: Vec<&str> = self.words.iter().map(|word| &**word).collect();
        // As git has it.
        let words = match &words[..] {
            ["get" | "set" | "list", rest @ ..] => rest,
            all => all,
        };
        let changed = match words {
            _ if self.edit => edit(&terminal),
            [name, value] => write(&terminal, name, value),
            [_, _, more, ..] => {
                let more = shown(more);
                Err(misuse(format!(
                    "`{more}` is a word too many; a setting has one value"
                ))
                .into())
            }
            names => show(port, &terminal, names.first().copied()),
        };
        terminal.ended(changed)
    }
}

pub(crate) fn write(terminal: &Terminal, typed: &str, value: &str) -> Result<Exit, Fault> {
    terminal.only_user("`nudge config`")?;
    let (name, line) = setting(typed)?;
    let usual = line.split_once(" = ").map_or("", |(_, usual)| usual);
    let said = match (usual, value.to_lowercase().as_str()) {
        ("true" | "false", "on" | "yes" | "1" | "true") => "true".to_owned(),
        ("true" | "false", "off" | "no" | "0" | "false") => "false".to_owned(),
        _ if usual.parse::<usize>().is_ok() && value.parse::<usize>().is_ok() => value.to_owned(),
        _ => json!(value).to_string(),
    };
    let file = UserFile::read();
    file.write(&name, &said).map_err(misuse)?;
    terminal.out.page_of(|page| {
        let line = shown(&format!("{name} = {said}")).into_owned();
        page.done(&format!("{line} in `{}`", file.path.display()));
    });
    Ok(take_over(terminal, Some(&name)))
}

/// The name of a setting, and how its default is written down.
fn setting(typed: &str) -> Result<(String, &'static str), Fault> {
    let name = typed.to_lowercase().replace('-', "_");
    if let Some(line) = example(&name) {
        return Ok((name, line));
    }
    let next = match meant(typed) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`nudge config` shows them all".to_owned(),
    };
    Err(misuse(format!("there is no setting `{}`; {next}", shown(typed))).into())
}

fn edit(terminal: &Terminal) -> Result<Exit, Fault> {
    terminal.only_user("`nudge config --edit`")?;
    let file = UserFile::read();
    file.make().map_err(misuse)?;
    open(&file.path)?;
    let (_, refused) = Settings::read_each(&Flags::default(), |_| None, &UserFile::read());
    if let Some(flaw) = refused.first() {
        return Err(misuse(flaw.words.clone()).into());
    }
    Ok(take_over(terminal, None))
}

/// Restarts the server that runs, where what has changed is the session's.
fn take_over(terminal: &Terminal, name: Option<&str>) -> Exit {
    let Ok(settings) = Settings::read(&Flags::default()) else {
        return Exit::Refused;
    };
    let is_sessions = json!(settings.session);
    let is_sessions =
        name.is_none_or(|name| is_sessions.get(name).is_some() || name == "log_level");
    if !is_sessions || !start::is_there(&terminal.settings) {
        return Exit::Done;
    }
    let terminal = Terminal::new(settings, terminal.out.clone());
    terminal.ended(Restart::default().run(&terminal))
}

/// Prints the settings of this process, with those of the session that runs, or of the next; or
/// one of them.
fn show(port: Option<u16>, terminal: &Terminal, only: Option<&str>) -> Result<Exit, Fault> {
    let only = only.map(setting).transpose()?.map(|(name, _)| name);
    let variable = |name: &str| std::env::var_os(name).filter(|text| !text.is_empty());
    let file = UserFile::read();
    let (settings, refused) = Settings::read_each(&Flags::default(), variable, &file);
    let settings = Settings { port, ..settings };
    let terminal = Terminal::new(settings.clone(), terminal.out.clone());
    // A server of an older version does not say.
    let running = Status::of_session(&terminal).ok();
    let running = running.and_then(|status| status.settings);
    let is_heard = |name| !refused.iter().any(|bad| bad.variable == Some(name));
    let is_read = |line: usize| !refused.iter().any(|bad| bad.line == Some(line));
    let origin = |name: &'static str, with_variable: bool| match name {
        "NUDGE_KEEP" if with_variable && is_ci(variable) => "CI",
        _ if with_variable && variable(name).is_some() && is_heard(name) => name,
        _ if file.line_of(name).is_some_and(is_read) => "config.toml",
        _ => "default",
    };

    let next = settings.session_of_file_tightened();
    let session = running.as_ref().unwrap_or(&next);
    let [of_session, asked, of_file] =
        [session, &settings.session, &settings.session_of_file].map(|session| json!(session));
    let own = json!(settings);
    let runtime = Runtime::meant(settings.runtime_dir.as_deref());
    // Where nothing is kept, whatever the file says.
    let (is_homeless, is_ci) = (runtime.is_stand_in(), is_ci(variable));
    let (mut rows, mut notes) = (Map::new(), Vec::new());
    for variable in VARIABLES {
        let name = name_of(variable);
        let default = || serde_json::from_str(example(&name)?.split_once(" = ")?.1).ok();
        let said = of_session.get(&name).or_else(|| own.get(&name));
        let said = said.filter(|value| !value.is_null()).cloned();
        let value = said.or_else(default);
        let value = value.unwrap_or_else(|| json!(runtime.folder().to_string_lossy()));
        let by_file = of_file.get(&name).unwrap_or(&value);
        let is_asked = asked.get(&name).is_none_or(|asked| *asked == value);
        let from = match &running {
            Some(_) if of_session.get(&name).is_some() => "session",
            _ => origin(variable, is_asked),
        };
        let is_never = name == "keep" && (is_homeless || is_ci);
        if from == "session" && *by_file != value && !is_never {
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
    Ok(terminal.out.value(&json, |page| {
        if let Some(row) = only.as_ref().and_then(|name| rows.get(name)) {
            page.line(&shown(&row["value"].to_string()));
            page.dim(&format!("  {}", row["from"].as_str().unwrap_or_default()));
            return exit;
        }
        page.line(&shown(&file.path.to_string_lossy()));
        for (name, row) in &rows {
            let line = format!("{name} = {}", row["value"]);
            let from = row["from"].as_str().unwrap_or_default();
            page.line(&format!("{:<34} # {from}", shown(&line)));
        }
        page.dim("`nudge config NAME VALUE` changes one, `nudge config --edit` opens the file");
        let is_off = rows["keep"]["value"] == false;
        page.dim(match is_off {
            _ if is_homeless => "hints end with the session, because the home cannot be written to",
            true if is_ci => "hints end with the session, because `CI` is set",
            true => "hints end with the session; after `nudge config keep on` what is set is kept",
            false => "hints are kept by default; after `nudge config keep off`, or with `CI`, what is set ends with the session",
        });
        for note in &notes {
            page.warned("!", &shown(note));
        }
        for alarm in &alarms {
            page.alarmed("✘", &shown(alarm));
        }
        exit
    }))
}
