//! What nobody can guess.

/// A random word of 32 letters.
pub(crate) fn nonce() -> String {
    let mut bytes = [0_u8; 16];
    // A machine without randomness has none to give to anybody; the PID file is
    // then only as good as its mode.
    let _ = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty());
    format!("{:032x}", u128::from_ne_bytes(bytes))
}

/// A word of 64 letters by which somebody is let in: 32 random bytes.
pub(crate) fn key() -> String {
    format!("{}{}", nonce(), nonce())
}
