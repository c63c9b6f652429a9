//! What nobody can guess.

/// A random word of 32 letters.
#[must_use]
pub fn nonce() -> String {
    let mut bytes = [0_u8; 16];
    // A machine without randomness has none to give to anybody; the PID file is
    // then only as good as its mode.
    let _ = getrandom::fill(&mut bytes);
    format!("{:032x}", u128::from_ne_bytes(bytes))
}

/// A word of 64 letters by which somebody is let in: 32 random bytes.
#[must_use]
pub fn key() -> String {
    format!("{}{}", nonce(), nonce())
}
