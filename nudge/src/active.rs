//! Active characters: what a terminal, a browser or a model may act upon although
//! nobody sees it.

/// Whether a character is active: a control or format character, a line or paragraph
/// separator, or one that has no shape of its own.
///
/// No name holds one, and stored text that does is shown to people and told to agents
/// with the character spelled out, or not at all. Letters of every script are plain, and
/// so are the two selectors (U+FE0E, U+FE0F) that say how an emoji is drawn.
///
/// # Examples
///
/// ```
/// use nudge::is_active;
///
/// assert!("größe 日本 ⚠\u{fe0f}".chars().all(|letter| !is_active(letter)));
/// // An escape, a line separator, a change of direction, an invisible tag.
/// assert!("\u{1b}\u{2028}\u{202e}\u{e0041}".chars().all(is_active));
/// ```
#[must_use]
pub fn is_active(letter: char) -> bool {
    // Unicode's categories Cc, Cf, Zl and Zp, and its Default_Ignorable_Code_Points;
    // the Braille blank is invisible as well.
    matches!(letter,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}'
        | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}'
        | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
        | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ranges_are_those_of_unicode() {
        let class =
            r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800&&[^\uFE0E\uFE0F]]";
        let class = regex::Regex::new(class).unwrap();
        let differs = |letter: &char| is_active(*letter) != class.is_match(&letter.to_string());
        let all: Vec<char> = (char::MIN..=char::MAX).filter(differs).collect();
        assert!(all.is_empty(), "{all:?}");
    }
}
