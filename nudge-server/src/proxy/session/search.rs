//! Looking for a PRIMARY that lost its names in the runtime folder.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::own::PORT;
use crate::platform::process::holds_lock;
use crate::platform::runtime::Runtime;
use crate::wire::identity::PRODUCT;

/// How many of the usual ports are looked at. A PRIMARY takes the first that is free.
const LOOKED_AT: u16 = 8;

/// How long a port may take to say who is there.
const PATIENCE: Duration = Duration::from_millis(200);

/// Whether a PRIMARY of this user and folder lives, although the folder does not
/// name one. A folder that does was not wiped, and then nobody is looked for.
pub(super) async fn lives_without_names(runtime: &Runtime) -> bool {
    if runtime.has_identity() {
        return false;
    }
    for port in PORT..PORT + LOOKED_AT {
        let pid = timeout(PATIENCE, pid_on(port)).await.ok().flatten();
        if pid.is_some_and(|pid| holds_lock(pid, runtime.folder())) {
            return true;
        }
    }
    false
}

/// The process that says on a port that it is Nudge, and ours: it tells nobody
/// else what its number is.
async fn pid_on(port: u16) -> Option<u32> {
    #[derive(Deserialize)]
    struct Health {
        product: String,
        pid: Option<u32>,
    }
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await.ok()?;
    let request = format!("GET /health HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    stream.take(16 * 1024).read_to_end(&mut answer).await.ok()?;
    let start = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n")?;
    let health: Health = serde_json::from_slice(answer.get(start + 4..)?).ok()?;
    health.pid.filter(|_| health.product == PRODUCT)
}
