//! Sessions and files: what followed from a prompt, and who changed a file.

use std::path::Path;

use nudge::{Error, ErrorKind};

use super::answers::{Found, History, Preview, Prompt, SessionTouches, Touch, Trace};
use super::questions::{Here, PREVIEW_COLUMNS, invalid, limit, preview, start};
use super::record::{path, session_key};
use super::requests::{FileHistory, GetLog, ObsType, SessionTrace};

/// The most observations of a session that are listed.
const LISTED: usize = 200;

/// Whether an observation is in the time that is asked for.
const IN_TIME: &str = "o.timestamp < coalesce(?3, 1 << 62) AND o.timestamp > coalesce(?4, -1)";

impl Here<'_> {
    pub(super) fn log(&self, asked: &GetLog) -> Result<Found, Error> {
        let session = asked.session_id.as_deref().map(|it| self.known_session(it));
        let session = session.transpose()?;
        let in_session = match session {
            Some(_) => "o.session_id = ?2",
            None => "?2 IS NULL",
        };
        let order = asked.after_id.map_or("DESC", |_| "ASC");
        let sql = format!(
            "SELECT {PREVIEW_COLUMNS} FROM observations o
            WHERE o.repo = ?1 AND {in_session} AND o.id > ?3 ORDER BY o.id {order} LIMIT ?4"
        );
        let after = asked.after_id.unwrap_or(0);
        let params = (self.repo, &session, after, limit(asked.limit, 20, 100));
        let observations = self.rows(&sql, params, preview)?;
        Ok(Found { observations })
    }

    /// The session that is called so, or else the one that is called so in the beginning.
    fn known_session(&self, typed: &str) -> Result<String, Error> {
        let typed = session_key(typed);
        let sql = "SELECT DISTINCT session_id FROM observations
            WHERE repo = ?1 AND session_id >= ?2 AND session_id < ?2 || char(1114111)
            ORDER BY session_id LIMIT 2";
        let found: Vec<String> = self.rows(sql, (self.repo, &typed), |row| row.get(0))?;
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
        let params = (&session, self.repo, asked.before, asked.after);
        let sql = format!(
            "SELECT min(timestamp), max(CASE WHEN obs_type = 'session_end' THEN timestamp END),
                sum({IN_TIME})
            FROM observations o WHERE session_id = ?1 AND repo = ?2 HAVING count(*) > 0"
        );
        let whole = self.one(&sql, params, |row| {
            Ok((row.get(0)?, row.get(1)?, row.get::<_, u32>(2)?))
        })?;
        let (started_at, ended_at, count) = whole.unwrap_or_default();
        let sql = format!(
            "SELECT {PREVIEW_COLUMNS}, o.prompt_id, o.content FROM observations o
            WHERE o.session_id = ?1 AND o.repo = ?2 AND {IN_TIME} ORDER BY o.id DESC LIMIT {LISTED}"
        );
        let rows: Vec<(Preview, Option<i64>, String)> = self.rows(&sql, params, |row| {
            Ok((preview(row)?, row.get(7)?, row.get(8)?))
        })?;
        let left_out = (count as usize).saturating_sub(LISTED);
        let mut prompts: Vec<Prompt> = Vec::new();
        for (preview, prompt_id, content) in rows.into_iter().rev() {
            // A prompt outside the window is listed for what followed inside it.
            let is_prompt = preview.obs_type == ObsType::UserPrompt;
            let prompt_id = prompt_id.or(is_prompt.then_some(preview.id));
            if prompts.iter().all(|known| known.prompt_id != prompt_id) {
                let source = prompt_id.map_or("system", |_| "user");
                let timestamp = preview.timestamp;
                prompts.push(Prompt {
                    prompt_id,
                    timestamp,
                    source,
                    ..Prompt::default()
                });
            }
            let mut known = prompts.iter_mut();
            match known.find(|known| known.prompt_id == prompt_id) {
                Some(prompt) if is_prompt => prompt.content = content,
                Some(prompt) => {
                    prompt.observation_count += 1;
                    prompt.observations.push(preview);
                }
                None => {}
            }
        }
        Ok(Trace {
            session_id: session,
            project: self.project.to_owned(),
            started_at,
            ended_at,
            prompts,
            left_out: (left_out > 0).then_some(left_out),
        })
    }

    pub(super) fn history(&self, asked: &FileHistory) -> Result<History, Error> {
        let below_folder = path(self.facts, &asked.file_path);
        let sql = format!(
            "SELECT {PREVIEW_COLUMNS}, (SELECT p.content FROM observations p WHERE p.id = o.prompt_id),
                (SELECT min(s.timestamp) FROM observations s
                    WHERE s.session_id = o.session_id AND s.repo = o.repo)
            FROM observations o
            WHERE o.repo = ?1 AND o.file_path = ?2 AND {IN_TIME}
            ORDER BY o.timestamp DESC, o.id DESC LIMIT ?5"
        );
        let most = limit(asked.limit, 10, 50);
        let find = |file: &str| {
            let params = (self.repo, file, asked.before, asked.after, most);
            self.rows(&sql, params, |row| {
                let prompt: Option<String> = row.get(7)?;
                Ok((preview(row)?, prompt, row.get(8)?))
            })
        };
        let mut file_path = below_folder;
        let mut rows = find(&file_path)?;
        if rows.is_empty() && !Path::new(&asked.file_path).is_absolute() {
            // As an answer names it, from whichever folder it is asked for.
            rows = find(asked.file_path.trim_start_matches("./"))?;
            if !rows.is_empty() {
                asked
                    .file_path
                    .trim_start_matches("./")
                    .clone_into(&mut file_path);
            }
        }
        let mut sessions: Vec<SessionTouches> = Vec::new();
        for (preview, prompt, started_at) in rows {
            let touch = Touch {
                observation_id: preview.id,
                timestamp: preview.timestamp,
                obs_type: preview.obs_type,
                content_preview: preview.content_preview,
                prompt_content: prompt.as_deref().map(start),
            };
            let mut known = sessions.iter_mut();
            match known.find(|it| it.session_id == preview.session_id) {
                Some(session) => session.touches.push(touch),
                None => sessions.push(SessionTouches {
                    session_id: preview.session_id,
                    project: self.project.to_owned(),
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
