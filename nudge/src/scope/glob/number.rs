//! Ranges inside braces, such as `{08..12}` and `{a..e}`.

use super::GlobError;

/// The most items a numeric range may have.
const MOST: i64 = 1000;

const TOO_LARGE: GlobError = GlobError::Syntax("a number of a range is too large; use `*` instead");

/// What the inside of a pair of braces says, where it is a range.
#[derive(Debug, Clone, Copy)]
pub(super) enum Range {
    Numbers(Numbers),
    /// Letters, from the first to the last, so many apart.
    Letters(char, char, u32),
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    /// Where the range starts; its items are counted from here.
    first: i32,
    /// How far the other end lies.
    reach: i32,
    /// How far apart the items are.
    step: u32,
    /// The width all items are padded to, or 0.
    width: u8,
    /// The most digits an item has.
    digits: u8,
}

impl Range {
    /// Reads the inside of a pair of braces; nothing where it is no range.
    pub(super) fn read(inner: &str) -> Result<Option<Range>, GlobError> {
        let mut ends = inner.splitn(3, "..");
        let (Some(low), Some(high)) = (ends.next(), ends.next()) else {
            return Ok(None);
        };
        let step = match ends.next().map(str::parse::<i32>) {
            None => 1,
            Some(Ok(step)) => step.unsigned_abs().max(1),
            Some(Err(_)) => return Ok(None),
        };
        if let (Some(low), Some(high)) = (letter(low), letter(high)) {
            return Ok(Some(Range::Letters(low, high, step)));
        }
        let digits = |end: &str| {
            let bare = end.strip_prefix('-').unwrap_or(end);
            !bare.is_empty() && bare.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !digits(low) || !digits(high) {
            return Ok(None);
        }
        Numbers::read(low, high, step).map(|numbers| Some(Range::Numbers(numbers)))
    }
}

impl Numbers {
    /// Reads the two ends of a range, both known to be numbers.
    fn read(low: &str, high: &str, step: u32) -> Result<Numbers, GlobError> {
        let (Ok(first), Ok(last)) = (low.parse::<i32>(), high.parse::<i32>()) else {
            return Err(TOO_LARGE);
        };
        let reach = i64::from(last) - i64::from(first);
        if reach.abs() / i64::from(step) >= MOST {
            return Err(GlobError::Syntax(
                "a range has more than 1,000 items; use `*` instead",
            ));
        }
        let reach = i32::try_from(reach).map_err(|_| TOO_LARGE)?;
        let padded = |end: &str| {
            let bare = end.strip_prefix('-').unwrap_or(end);
            bare.len() > 1 && bare.starts_with('0')
        };
        let longest = low.len().max(high.len());
        let width = if padded(low) || padded(high) {
            longest
        } else {
            0
        };
        let small = |count: usize| u8::try_from(count).unwrap_or(u8::MAX);
        Ok(Numbers {
            first,
            reach,
            step,
            width: small(width),
            digits: small(longest),
        })
    }

    /// Lists how many bytes at the front of a path may be an item of the range.
    pub(super) fn lengths(self, path: &[u8]) -> impl Iterator<Item = usize> {
        let sign = usize::from(path.first() == Some(&b'-'));
        let longest = sign + usize::from(self.digits);
        let digits = path
            .iter()
            .take(longest)
            .skip(sign)
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let lengths = (sign + 1).max(usize::from(self.width))..=sign + digits;
        lengths.filter(move |length| path.get(..*length).is_some_and(|piece| self.has(piece)))
    }

    /// Tells whether a text, a sign and digits, is an item of the range as the range would write
    /// it.
    fn has(self, piece: &[u8]) -> bool {
        let digits = piece.strip_prefix(b"-").unwrap_or(piece);
        let add = |sum: i64, digit: &u8| {
            sum.saturating_mul(10)
                .saturating_add(i64::from(digit.saturating_sub(b'0')))
        };
        let size = digits.iter().fold(0, add);
        let negative = digits.len() < piece.len();
        let width = usize::from(self.width);
        // Zeros in front are the padding of a padded range, and no item else has any.
        let padded = piece.len() == width;
        if (digits.len() > 1 && digits.starts_with(b"0") && !padded)
            || piece.len() < width
            || (negative && size == 0)
        {
            return false;
        }
        let value = if negative { -size } else { size };
        let away = value.saturating_sub(i64::from(self.first));
        let (away, reach) = if self.reach < 0 {
            (-away, -i64::from(self.reach))
        } else {
            (away, i64::from(self.reach))
        };
        (0..=reach).contains(&away) && away % i64::from(self.step) == 0
    }
}

/// Reads a text that is one letter.
fn letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters
        .next()
        .filter(|one| one.is_alphabetic() && letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_taken_as_the_range_writes_them() {
        for (range, yes, no) in [
            ("5..12", "5 9 10 12", "4 13 05 1 -5"),
            ("12..5", "5 12", "4 13"),
            ("1..9..2", "1 3 9", "2 8 11"),
            ("9..1..4", "9 5 1", "7 3"),
            ("08..12", "08 09 10 12", "8 012 7 07"),
            ("-2..2", "-2 0 2", "-3 -0 3"),
            ("1..5..70000", "1", "5 2"),
        ] {
            let Ok(Some(Range::Numbers(numbers))) = Range::read(range) else {
                panic!("{range}")
            };
            for item in yes.split(' ') {
                assert!(numbers.has(item.as_bytes()), "{range} {item}");
            }
            for item in no.split(' ') {
                assert!(!numbers.has(item.as_bytes()), "{range} {item}");
            }
        }
        assert!(Range::read("1..1000").is_ok());
        assert!(Range::read("1..1001").is_err());
    }
}
