//! `nudge ui`

use super::browser;
use super::prelude::*;
use super::terminal::here;
use crate::platform::desktop::IS_WINDOWS;
use crate::primary::PageAddress;
use crate::wire::escape::percent_encoded;

/// What a browser is opened with. It is not kept in the history, and who has no script
/// follows the link.
const HAND_OVER: &str = r#"<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<title>Nudge</title>
<script>location.replace("PAGE")</script>
<p><a href="PAGE">Open the page</a></p>
"#;

#[derive(Debug, Args)]
pub(crate) struct Ui {
    /// Print the address of the file to open, and open nothing
    #[arg(long)]
    no_open: bool,
}

impl Ui {
    pub(crate) fn run(&self, terminal: &Terminal) -> Result<Exit, Fault> {
        let url = address(terminal)?;
        let opened = (!self.no_open).then(|| browser::open(&url));
        match opened {
            Some(Ok(())) => terminal.out.note("opened in the browser"),
            Some(Err(why)) => {
                let words = format!("no browser was opened, {why}; open this file in one");
                terminal.out.note(&words);
            }
            None => {}
        }
        let opened = opened.is_some_and(|opened| opened.is_ok());
        let shown = json!({"url": url, "opened": opened});
        Ok(terminal.out.value(&shown, |page| {
            page.line(&url);
            Exit::Done
        }))
    }
}

/// The address of a file that leads a browser to the page and hands it the key, and where the
/// user is. In an argument of the browser everybody on the machine could read the key.
fn address(terminal: &Terminal) -> Result<String, Fault> {
    let find = ServerOperation::FindPage;
    let PageAddress { port, key } = terminal.get(find, &Params::default(), None)?;
    let place = serde_json::to_vec(&here()?).unwrap_or_default();
    let place = percent_encoded(&place, "/");
    let page = format!("http://127.0.0.1:{port}/#key={key}&place={place}");
    let runtime = terminal.runtime()?;
    let path = runtime.write_page(&HAND_OVER.replace("PAGE", &page))?;
    let mut path = path.into_os_string();
    if IS_WINDOWS {
        path = format!("/{}", path.display()).replace('\\', "/").into();
    }
    // A colon after a drive stays.
    let plain = if IS_WINDOWS { "/:" } else { "/" };
    let path = percent_encoded(path.as_encoded_bytes(), plain);
    Ok(format!("file://{path}"))
}
