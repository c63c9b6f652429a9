//! The least that an HTTP server does: one axum route that returns fixed bytes.

use std::io::{self, Read, Write};
use std::net::Ipv4Addr;
use std::path::Path;

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::post;
use axum::serve::ListenerExt;
use tokio::net::TcpListener;

use crate::Outcome;

/// Answers every call with the bytes of a file, on a port that it prints, until
/// its stdin ends.
pub(crate) fn serve(file: &Path) -> Outcome<()> {
    let body = Bytes::from(std::fs::read(file)?);
    std::thread::spawn(|| {
        let _ = io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    // As ours: one thread.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        writeln!(io::stdout(), "{port}")?;
        let answer = |_asked: Bytes| async { ([(CONTENT_TYPE, "application/json")], body) };
        let listener = listener.tap_io(|stream| {
            // Without it a client that writes twice waits for 40 ms.
            let _ = stream.set_nodelay(true);
        });
        axum::serve(listener, Router::new().route("/rpc", post(answer))).await?;
        Ok(())
    })
}
