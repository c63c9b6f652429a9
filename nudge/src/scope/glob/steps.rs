//! A pattern as a short list of steps.

use super::case::Case;
use super::effort::Effort;
use super::number::Numbers;
use super::walk::Walk;

/// A pattern that was read into steps.
#[derive(Debug, Clone)]
pub(super) struct Steps {
    /// The normalised pattern, which literals and classes point into.
    pub(super) text: Box<str>,
    pub(super) list: Box<[Step]>,
    /// Whether the pattern takes what the steps do not.
    pub(super) negated: bool,
    /// Whether the pattern is matched from a root on.
    pub(super) is_rooted: bool,
}

/// One step. Where it says nothing else, the step behind it comes next; distances are counted in
/// steps.
#[derive(Debug, Clone, Copy)]
pub(super) enum Step {
    /// Takes a piece of the pattern's text as it stands.
    Literal(Piece),
    /// Takes one character of a class, given without its brackets; or, if so marked, the text of
    /// the class.
    Class(Piece, bool),
    /// Takes one of the letters from the first to the last, so many apart.
    Letters(char, char, u32),
    /// Takes a number of a range.
    Number(Numbers),
    /// Takes one character that is no separator.
    One,
    /// Asks for one more character without taking it.
    More,
    /// Takes any characters that are no separators.
    Star,
    /// Takes any characters.
    Deep,
    /// Takes everything up to and with a separator, which may be any of those to come.
    Skip,
    /// Takes a separator, or goes three steps on at the end of the path.
    Middle,
    /// Takes the rest of the path if it starts with a separator; or, if so marked, the end of the
    /// path.
    Below(bool),
    /// Goes on with the next step and, as the other way, so many steps ahead.
    Fork(u16),
    /// Goes on so many steps ahead.
    Jump(u16),
    /// Goes on with the next step and, as the other way, so many steps back.
    Again(u16),
    /// Goes on so many steps ahead unless the steps between get to an end.
    Not(u16),
    /// Ends well at the end of the path.
    End,
    /// Ends well.
    Hold,
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) at: u16,
    pub(super) end: u16,
}

impl Steps {
    pub(super) fn piece(&self, piece: Piece) -> &str {
        self.text
            .get(usize::from(piece.at)..usize::from(piece.end))
            .unwrap_or_default()
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Steps>() + self.text.len() + size_of_val(&*self.list)
    }

    /// Tells whether the pattern takes a path.
    pub(super) fn matches<C: Case>(&self, path: &str, effort: &Effort) -> bool {
        let walk = || Walk::<C>::new(self, path.as_bytes(), effort);
        *path == *self.text || walk().arrives() != self.negated
    }

    /// Tells whether some way through the steps has a whole segment of two dots.
    pub(super) fn climbs(&self) -> bool {
        let mut seen = vec![0_u8; self.list.len()];
        let mut open = vec![(0, Segment::Start)];
        while let Some((at, segment)) = open.pop() {
            let (Some(step), Some(marks)) = (self.list.get(at), seen.get_mut(at)) else {
                continue;
            };
            let mark = 1 << segment as u8;
            if *marks & mark != 0 {
                continue;
            }
            *marks |= mark;
            let next = match *step {
                Step::Literal(piece) => {
                    match self.piece(piece).chars().try_fold(segment, Segment::after) {
                        Some(next) => next,
                        None => return true,
                    }
                }
                Step::Class(..)
                | Step::Letters(..)
                | Step::Number(_)
                | Step::One
                | Step::Star
                | Step::Deep => Segment::Other,
                Step::Middle | Step::Below(_) | Step::End | Step::Hold
                    if segment == Segment::Dots =>
                {
                    return true;
                }
                Step::Below(_) | Step::End | Step::Hold => continue,
                Step::Skip | Step::Middle => Segment::Start,
                Step::More => segment,
                Step::Fork(ahead) | Step::Not(ahead) => {
                    open.push((at + usize::from(ahead), segment));
                    segment
                }
                Step::Again(back) => {
                    open.push((at.saturating_sub(usize::from(back)), segment));
                    segment
                }
                Step::Jump(ahead) => {
                    open.push((at + usize::from(ahead), segment));
                    continue;
                }
            };
            open.push((at + 1, next));
        }
        false
    }
}

/// What a segment holds so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Segment {
    Start,
    Dot,
    Dots,
    Other,
}

impl Segment {
    /// Gives what the segment holds with one character more; nothing where that ends a segment of
    /// two dots.
    fn after(self, character: char) -> Option<Segment> {
        Some(match (self, character) {
            (Segment::Dots, '/') => return None,
            (_, '/') => Segment::Start,
            (Segment::Start, '.') => Segment::Dot,
            (Segment::Dot, '.') => Segment::Dots,
            _ => Segment::Other,
        })
    }
}
