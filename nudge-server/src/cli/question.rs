//! A question to whoever is at the terminal.

use std::io::{self, BufRead, IsTerminal, Write};

use super::terminal::Terminal;

/// Whether somebody sees a question and can answer it.
pub(crate) fn may_ask(terminal: &Terminal) -> bool {
    !terminal.out.json && io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a question is answered with yes; Enter is a no.
pub(crate) fn is_agreed(question: &str) -> bool {
    let question = format!("{question}? [y/N] ");
    is_yes(&question, false, io::stdin().lock(), io::stderr())
}

/// Whether a question is answered with yes, or with Enter by somebody who is there.
pub(crate) fn is_welcome(question: &str) -> bool {
    let question = format!("{question}? [Y/n] ");
    is_yes(&question, true, io::stdin().lock(), io::stderr())
}

/// Asks until the answer is a yes or a no; where nobody answers, it is a no.
fn is_yes(
    question: &str,
    default: bool,
    mut answers: impl BufRead,
    mut questions: impl Write,
) -> bool {
    let mut words = question;
    loop {
        // Somebody who sees no question gives no answer.
        let _ = write!(questions, "{words}");
        let _ = questions.flush();
        let mut answer = String::new();
        if !answers.read_line(&mut answer).is_ok_and(|read| read > 0) {
            return false;
        }
        match answer.trim().to_lowercase().as_str() {
            "" => return default,
            "y" | "yes" => return true,
            "n" | "no" => return false,
            _ => words = "type `y` for yes or `n` for no: ",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_yes_is_a_yes_and_what_is_neither_is_asked_again() {
        for (answers, enter_is_yes, expected) in [
            ("\n", true, true),
            ("\n", false, false),
            ("y\n", false, true),
            (" YES \n", true, true),
            ("n\n", true, false),
            (" No\n", true, false),
            // Nobody is there, at once or after a word that says nothing.
            ("", true, false),
            ("quit\n", true, false),
            ("q\ncancel\nstop\nexit\n0\nfalse\nnope\ny\n", true, true),
            ("yo\n\n", false, false),
            ("sure\nn\n", true, false),
        ] {
            let mut asked = Vec::new();
            let is_yes = is_yes("Sure? ", enter_is_yes, answers.as_bytes(), &mut asked);
            assert_eq!(is_yes, expected, "{answers}");
            assert!(asked.starts_with(b"Sure? "));
        }
    }
}
