//! Sessions and files: what followed from a prompt, and who changed a file.

use std::path::Path;

use nudge::{Error, ErrorKind};

use super::answers::{Found, History, Prompt, SessionTouches, Touch, Trace};
use super::questions::{Here, invalid, limit, preview, start};
use super::record::{path, session_key};
use super::requests::{FileHistory, GetLog, SessionTrace};
use crate::store::ObsType;

/// The most observations of a session that are listed.
const LISTED: usize = 200;

impl Here<'_> {
    pub(super) fn log(&self, asked: &GetLog) -> Result<Found, Error> {
        let session = asked.session_id.as_deref().map(|it| self.known_session(it));
        let session = session.transpose()?;
        let most = limit(asked.limit, 20, 100);
        let observations = self.past.log(session.as_deref(), asked.after_id, most)?;
        let observations = observations.into_iter().map(preview).collect();
        Ok(Found { observations })
    }

    /// The session that is called so, or else the one that is called so in the beginning.
    fn known_session(&self, typed: &str) -> Result<String, Error> {
        let typed = session_key(typed);
        let found = self.past.sessions(&typed)?;
        match &found[..] {
            [one, ..] if *one == typed => Ok(typed),
            [one] if !typed.is_empty() => Ok(one.clone()),
            [one, other] if !typed.is_empty() => Err(invalid(&format!(
                "session_id: more than one begins with `{typed}`, as `{one}` and `{other}`"
            ))),
            _ => {
                let words = format!("session not found: {typed}");
                Err(Error::new(ErrorKind::NotFound, words))
            }
        }
    }

    pub(super) fn session(&self, asked: &SessionTrace) -> Result<Trace, Error> {
        let session = self.known_session(&asked.session_id)?;
        let time = (asked.before, asked.after);
        let (started_at, ended_at, count) = self.past.span(&session, time)?;
        let rows = self.past.of_session(&session, time, LISTED)?;
        let left_out = (count as usize).saturating_sub(LISTED);
        let mut prompts: Vec<Prompt> = Vec::new();
        for one in rows.into_iter().rev() {
            // A prompt outside the window is listed for what followed inside it.
            let is_prompt = one.obs_type == ObsType::UserPrompt;
            let prompt_id = one.prompt_id.or(is_prompt.then_some(one.id));
            let known = prompts.iter().position(|it| it.prompt_id == prompt_id);
            let at = known.unwrap_or_else(|| {
                prompts.push(Prompt {
                    prompt_id,
                    timestamp: one.timestamp,
                    source: prompt_id.map_or("system", |_| "user"),
                    ..Prompt::default()
                });
                prompts.len() - 1
            });
            let prompt = &mut prompts[at];
            if is_prompt {
                prompt.content = one.content;
            } else {
                prompt.observation_count += 1;
                prompt.observations.push(preview(one));
            }
        }
        Ok(Trace {
            session_id: session,
            project: self.past.project.to_owned(),
            started_at,
            ended_at,
            prompts,
            left_out: (left_out > 0).then_some(left_out),
        })
    }

    pub(super) fn history(&self, asked: &FileHistory) -> Result<History, Error> {
        let typed = asked.file_path.trim_start_matches("./");
        let time = (asked.before, asked.after);
        let most = limit(asked.limit, 10, 50);
        let find = |file: &str| self.past.changes(file, time, most);
        let mut file_path = path(self.facts, &asked.file_path);
        let mut rows = find(&file_path)?;
        if rows.is_empty() && !Path::new(&asked.file_path).is_absolute() {
            // As an answer names it, from whichever folder it is asked for.
            rows = find(typed)?;
            if !rows.is_empty() {
                typed.clone_into(&mut file_path);
            }
        }
        let mut sessions: Vec<SessionTouches> = Vec::new();
        for (one, prompt, started_at) in rows {
            let touch = Touch {
                observation_id: one.id,
                timestamp: one.timestamp,
                obs_type: one.obs_type,
                content_preview: start(&one.content),
                prompt_content: prompt.as_deref().map(start),
            };
            let mut known = sessions.iter_mut();
            match known.find(|it| it.session_id == one.session_id) {
                Some(session) => session.touches.push(touch),
                None => sessions.push(SessionTouches {
                    session_id: one.session_id,
                    project: self.past.project.to_owned(),
                    started_at,
                    touches: vec![touch],
                }),
            }
        }
        Ok(History {
            file_path,
            sessions,
        })
    }
}
