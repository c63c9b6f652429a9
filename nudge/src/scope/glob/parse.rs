//! The reading of a pattern into steps.

use super::GlobError;
use super::class;
use super::number::Range;
use super::steps::{Piece, Step, Steps};
use super::text::{self, short};

const OPEN_BRACE: GlobError = GlobError::Syntax(r"`{` is never closed; close it, or write `\{`");
const OPEN_GROUP: GlobError = GlobError::Syntax(r"`(` is never closed; close it, or write `\(`");
const OPEN_CLASS: GlobError = GlobError::Syntax(r"`[` is never closed; close it, or write `\[`");

/// Reads a normalised pattern into steps.
pub(super) fn steps(text: Box<str>) -> Result<Steps, GlobError> {
    let bytes = text.as_bytes();
    let marks = bytes.iter().take_while(|byte| **byte == b'!').count();
    // The mark right before a bracket belongs to a group.
    let before_group = marks > 0 && bytes.get(marks) == Some(&b'(');
    let marks = marks - usize::from(before_group);
    if marks == bytes.len() {
        return Err(GlobError::Syntax(
            "nothing follows `!`; write what is not to match",
        ));
    }
    let is_rooted = text.get(marks..).is_some_and(text::is_rooted);
    let start = if is_rooted { marks + 2 } else { marks };
    let mut reader = Reader {
        text: &text,
        at: start,
        list: Vec::new(),
        before: Before::Start,
        braces: 0,
        groups: 0,
    };
    reader.sequence(Frame::Whole)?;
    reader.list.push(Step::End);
    let list = reader.list.into_boxed_slice();
    let negated = marks % 2 == 1;
    let steps = Steps {
        text,
        list,
        negated,
        is_rooted,
    };
    if steps.climbs() {
        Err(GlobError::Traversal)
    } else {
        Ok(steps)
    }
}

/// What stands before the place at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    Start,
    Slash,
    /// The opening of braces or of a group, or a comma between braces.
    Open,
    Star,
    /// The end of a group, or of braces inside braces.
    Closed,
    Other,
}

/// What the sequence at hand stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Frame {
    /// Nothing: it is the whole pattern.
    Whole,
    Braces,
    /// A group such as `@(a|b)`.
    Group,
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    list: Vec<Step>,
    /// What stands before the place at hand.
    before: Before,
    braces: usize,
    groups: usize,
}

impl Reader<'_> {
    /// Reads up to what ends a sequence in its frame, and tells whether another alternative
    /// follows.
    fn sequence(&mut self, frame: Frame) -> Result<bool, GlobError> {
        let mut round = 0;
        while let Some(byte) = self.byte(self.at) {
            let group = self.byte(self.at + 1) == Some(b'(');
            let parted = byte == b'|' && self.groups > 0 && round == 0;
            match (byte, frame) {
                (b',', Frame::Braces) => {
                    self.at += 1;
                    self.before = Before::Open;
                    return Ok(true);
                }
                (b'|', Frame::Braces | Frame::Group) if parted => {
                    self.at += 1;
                    self.before = Before::Other;
                    return Ok(true);
                }
                (b'}', Frame::Braces) => return Ok(false),
                (b')', Frame::Group) if round == 0 => return Ok(false),
                (b'(' | b')', Frame::Group) => {
                    // Brackets without a mark are plain text, but inside a group they pair.
                    round = if byte == b'(' { round + 1 } else { round - 1 };
                    self.literal();
                }
                (b'?' | b'+' | b'@' | b'!' | b'*', _) if group => self.group(byte, frame)?,
                (b'*', _) => self.stars(frame),
                (b'?', _) => self.push(Step::One, 1, Before::Other),
                (b'/', _) => self.slash(),
                (b'[', _) => self.class()?,
                (b'{', _) => self.brace()?,
                (b'\\', _) => {
                    self.at += 1;
                    if self.byte(self.at).is_none() {
                        return Err(GlobError::Syntax(
                            "the backslash at its end escapes nothing; remove it or write `\\\\`",
                        ));
                    }
                    self.literal();
                }
                _ => self.literal(),
            }
        }
        match frame {
            Frame::Whole => Ok(false),
            Frame::Braces => Err(OPEN_BRACE),
            Frame::Group => Err(OPEN_GROUP),
        }
    }

    /// Reads alternatives up to the bracket that closes them, and goes past that.
    fn alternatives(&mut self, frame: Frame) -> Result<(), GlobError> {
        self.before = Before::Open;
        let mut jumps = Vec::new();
        loop {
            let start = self.list.len();
            if !self.sequence(frame)? {
                break;
            }
            self.list
                .insert(start, Step::Fork(short(self.list.len() + 2 - start)));
            jumps.push(self.list.len());
            self.list.push(Step::Jump(0));
        }
        for jump in jumps {
            let ahead = short(self.list.len() - jump);
            self.set(jump, Step::Jump(ahead));
        }
        Ok(())
    }

    /// Reads a group with the mark before it.
    fn group(&mut self, mark: u8, frame: Frame) -> Result<(), GlobError> {
        let alone = self.braces + self.groups == 0 && frame == Frame::Whole;
        let start = self.list.len();
        if mark == b'!' {
            self.list.push(Step::Not(0));
        }
        self.at += 2;
        let open = self.at;
        self.groups += 1;
        self.alternatives(Frame::Group)?;
        self.groups -= 1;
        let inner = open..self.at;
        self.at += 1;
        match mark {
            b'!' => self.negate(start, self.text.get(inner).unwrap_or_default(), alone)?,
            b'+' | b'*' => self.list.push(Step::Again(short(self.list.len() - start))),
            _ => {}
        }
        if matches!(mark, b'?' | b'*') {
            self.list
                .insert(start, Step::Fork(short(self.list.len() + 1 - start)));
        }
        self.before = Before::Closed;
        Ok(())
    }

    /// Ends a negated group: the alternatives are looked for at the place at hand, and a star
    /// stands for the group.
    ///
    /// Where nothing follows, or where they cross separators, the alternatives must reach the end
    /// of the path to count; elsewhere the start of what is there is enough. An extension behind a
    /// group with a star counts as part of it.
    fn negate(&mut self, start: usize, inner: &str, alone: bool) -> Result<(), GlobError> {
        let (slash, star) = text::own(inner);
        let rest = self.text.get(self.at..).unwrap_or_default();
        let extension = rest
            .strip_prefix('.')
            .is_some_and(|name| !name.is_empty() && !name.contains(['\\', '/', '.']));
        let deep = slash && inner.len() > 1;
        if star && alone && extension {
            let place = self.at;
            self.before = Before::Start;
            self.sequence(Frame::Whole)?;
            self.at = place;
            self.list.push(Step::Hold);
        } else if deep || rest.bytes().all(|byte| byte == b')') {
            self.list.push(Step::End);
        } else {
            self.list.push(Step::Hold);
        }
        self.set(start, Step::Not(short(self.list.len() - start)));
        self.list.push(if deep { Step::Deep } else { Step::Star });
        Ok(())
    }

    /// Reads a pair of braces: a list, a range, or plain text in braces.
    fn brace(&mut self) -> Result<(), GlobError> {
        let Some((close, list)) = text::braces(self.text.as_bytes(), self.at, self.groups > 0)
        else {
            return Err(OPEN_BRACE);
        };
        let inner = self.text.get(self.at + 1..close).unwrap_or_default();
        if list {
            self.at += 1;
        } else if inner == ".." {
            return Err(GlobError::Traversal);
        } else if let Some(range) = Range::read(inner)? {
            let step = match range {
                Range::Numbers(numbers) => Step::Number(numbers),
                Range::Letters(one, other, apart) => Step::Letters(one, other, apart),
            };
            self.push(step, close + 1 - self.at, Before::Other);
            return Ok(());
        } else {
            self.literal();
        }
        self.braces += 1;
        self.alternatives(Frame::Braces)?;
        self.braces -= 1;
        if list {
            self.at += 1;
        } else {
            self.literal();
        }
        self.before = if self.braces > 0 {
            Before::Closed
        } else {
            Before::Other
        };
        Ok(())
    }

    /// Reads a run of stars.
    ///
    /// Two stars cross separators where they make a whole segment, or where nothing but braces or a
    /// group stands beside them; beside text they are one star.
    fn stars(&mut self, frame: Frame) {
        let run = self
            .text
            .bytes()
            .skip(self.at)
            .take_while(|byte| *byte == b'*')
            .count();
        let end = self.at + run;
        // The last star of a run before a bracket is the mark of a group.
        let (run, end) = if self.byte(end) == Some(b'(') {
            (run - 1, end - 1)
        } else {
            (run, end)
        };
        let starts = matches!(self.before, Before::Start | Before::Slash);
        if run == 2 && (starts || matches!(self.before, Before::Open | Before::Closed)) {
            let end = self.folders(end);
            let next = self.byte(end);
            if self.before == Before::Start && next == Some(b'/') {
                self.list.push(Step::Fork(2));
                self.push(Step::Skip, end + 1 - self.at, Before::Slash);
                return;
            }
            let closes = match next {
                None | Some(b'/' | b'{') => true,
                Some(b'@') => self.byte(end + 1) == Some(b'('),
                Some(b'.') => text::is_suffix(self.text),
                Some(b',' | b'}') => self.braces > 0,
                Some(b')') => frame == Frame::Group,
                Some(_) => false,
            };
            if closes {
                self.push(Step::Deep, end - self.at, Before::Star);
                return;
            }
        }
        if run == 1 && starts {
            self.list.push(Step::More);
        }
        self.push(Step::Star, end - self.at, Before::Star);
    }

    /// Reads a separator, with the `**` segments behind it.
    fn slash(&mut self) {
        let end = self.folders(self.at);
        match self.byte(end) {
            _ if end == self.at => {
                self.literal();
                self.before = Before::Slash;
            }
            None => {
                let itself = !matches!(self.before, Before::Star | Before::Start);
                self.push(Step::Below(itself), end - self.at, Before::Other);
            }
            Some(_) => {
                self.list.extend([Step::Middle, Step::Fork(2)]);
                self.push(Step::Skip, end + 1 - self.at, Before::Slash);
            }
        }
    }

    /// Goes past all the whole `/**` segments at a place.
    fn folders(&self, place: usize) -> usize {
        let mut end = place;
        while self
            .text
            .get(end..)
            .is_some_and(|rest| rest == "/**" || rest.starts_with("/**/"))
        {
            end += 3;
        }
        end
    }

    fn class(&mut self) -> Result<(), GlobError> {
        let Some(close) = class::end(self.text.as_bytes(), self.at) else {
            return Err(OPEN_CLASS);
        };
        let inner = self.text.get(self.at + 1..close).unwrap_or_default();
        let piece = Piece {
            at: short(self.at + 1),
            end: short(close),
        };
        self.push(
            Step::Class(piece, class::takes_itself(inner)),
            close + 1 - self.at,
            Before::Other,
        );
        Ok(())
    }

    /// Reads one character as it stands.
    fn literal(&mut self) {
        let character = self
            .text
            .get(self.at..)
            .and_then(|rest| rest.chars().next());
        let end = self.at + character.map_or(1, char::len_utf8);
        let piece = Piece {
            at: short(self.at),
            end: short(end),
        };
        // Text that goes on where a literal ended makes it longer; brackets and marks always lie
        // between two steps.
        if let Some(Step::Literal(last)) = self.list.last_mut()
            && last.end == piece.at
        {
            last.end = piece.end;
        } else {
            self.list.push(Step::Literal(piece));
        }
        self.at = end;
        self.before = Before::Other;
    }

    /// Adds a step that stands for so many bytes of the pattern.
    fn push(&mut self, step: Step, length: usize, before: Before) {
        self.list.push(step);
        self.at += length;
        self.before = before;
    }

    /// Changes a step that was added before.
    fn set(&mut self, place: usize, step: Step) {
        if let Some(old) = self.list.get_mut(place) {
            *old = step;
        }
    }

    fn byte(&self, place: usize) -> Option<u8> {
        self.text.as_bytes().get(place).copied()
    }
}
