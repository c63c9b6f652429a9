//! A server in this process, and a client that says what it is told to.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::process::{Folder as TempDir, PATIENCE};
use crate::sharing::tokio_runtime;
use axum::Router;
use nudge::{Actor, Config, SystemClock, Via};
use nudge_client::folder::{Key, Runtime};
use nudge_server::primary::Primary;
use nudge_server::proxy::session::Session;
use nudge_server::surface::http::{serve_page, serve_tcp, serve_unix};
use nudge_server::surface::mcp::router;
use nudge_server::wire::sender::Sender;
use serde_json::{Value, json};
use tokio::net::{TcpListener, UnixListener};

/// The token of every server in these tests.
pub(crate) const TOKEN: &str = "0123456789abcdef";

/// A server on a free port and on a socket in a folder of its own.
pub(crate) struct Served {
    pub(crate) primary: Arc<Primary>,
    pub(crate) port: u16,
    folder: TempDir,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    /// A server with an empty store and the time of this machine.
    pub(crate) fn new() -> Served {
        Served::start(|port| Primary::new(Config::default(), SystemClock, port))
    }

    /// Serves the store that is made for a port.
    pub(crate) fn start(primary: impl FnOnce(u16) -> Primary) -> Served {
        Served::serve(primary, true)
    }

    /// Serves a store on its socket alone.
    pub(crate) fn on_its_socket(primary: Primary) -> Served {
        Served::serve(|_| primary, false)
    }

    fn serve(primary: impl FnOnce(u16) -> Primary, has_ports: bool) -> Served {
        let runtime = tokio_runtime();
        let folder = crate::process::folder();
        let (tcp, page, unix) = runtime.block_on(async {
            let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
            let page = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
            let unix = UnixListener::bind(folder.path().join("nudge.sock"));
            (tcp.unwrap(), page.unwrap(), unix.unwrap())
        });
        let port = tcp.local_addr().unwrap().port();
        let primary = Arc::new(primary(port));
        let served = Arc::clone(&primary);
        let thread = thread::spawn(move || {
            runtime.block_on(async {
                let unix = serve_unix(unix, Arc::clone(&served), Router::new());
                if !has_ports {
                    return unix.await;
                }
                let mcp = router(Session::local(Arc::clone(&served)));
                tokio::join!(
                    serve_tcp(tcp, Arc::clone(&served), mcp, TOKEN.into()),
                    serve_page(page, Arc::clone(&served)),
                    unix,
                );
            });
        });
        Served {
            primary,
            port,
            folder,
            thread: Some(thread),
        }
    }

    /// Its session folder, in which a client finds what it needs.
    pub(crate) fn folder(&self) -> &Path {
        let folder = self.folder.path();
        Runtime::as_it_is(folder).keep_key(Key::Client, &self.primary.client_key);
        folder
    }

    /// A connection to the port.
    pub(crate) fn tcp(&self) -> Client<TcpStream> {
        connect(self.port)
    }

    /// Where the page is, and the header that shows its key.
    pub(crate) fn page(&self) -> (u16, String) {
        let answer = self.unix().ask(self.call("nudge.page", &json!({}))).json();
        let port = answer["result"]["port"].as_u64().unwrap();
        let key = answer["result"]["key"].as_str().unwrap();
        let header = format!("Nudge-Page-Key: {key}\r\n");
        (u16::try_from(port).unwrap(), header)
    }

    /// What the port of the page says to a request that was made for the other.
    pub(crate) fn ask_page(&self, request: &str) -> Response {
        let (port, _) = self.page();
        let [ours, pages] = [self.port, port].map(|port| format!("Host: 127.0.0.1:{port}\r\n"));
        connect(port).ask(request.replace(&ours, &pages))
    }

    /// A connection to the socket.
    pub(crate) fn unix(&self) -> Client<UnixStream> {
        let stream = UnixStream::connect(self.folder.path().join("nudge.sock")).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client(BufReader::new(stream))
    }

    /// A request with a body of JSON, and more headers, each with its end of line.
    pub(crate) fn post(&self, path: &str, headers: &str, body: &str) -> String {
        format!(
            "POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n{}{headers}Content-Length: {}\r\n\r\n{body}",
            self.port,
            who(),
            body.len(),
        )
    }

    /// A request without a body.
    pub(crate) fn get(&self, path: &str, headers: &str) -> String {
        let who = who();
        format!(
            "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{who}{headers}\r\n",
            self.port
        )
    }

    /// A call of a method by the user.
    pub(crate) fn call(&self, method: &str, params: &Value) -> String {
        let user = Sender::new(Via::Http, None).actor(Actor::User);
        self.call_as(&user, method, params)
    }

    /// A call of a method by somebody who shows the client key.
    pub(crate) fn call_as(&self, sender: &Sender, method: &str, params: &Value) -> String {
        let headers = sender.header_line(Some(&self.primary.client_key));
        self.call_with(&headers, method, params)
    }

    /// A call of a method with more headers.
    pub(crate) fn call_with(&self, headers: &str, method: &str, params: &Value) -> String {
        let call = json!({"jsonrpc": "2.0", "method": method, "params": params, "id": 1});
        self.post("/rpc", headers, &call.to_string())
    }

    /// Waits until the server has ended by itself.
    pub(crate) fn ended(mut self) {
        self.thread.take().unwrap().join().unwrap();
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.primary.stop();
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking());
        }
    }
}

fn connect(port: u16) -> Client<TcpStream> {
    let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    Client(BufReader::new(stream))
}

/// What a caller shows where the system does not tell its uid.
fn who() -> String {
    if cfg!(target_os = "linux") {
        return String::new();
    }
    format!("Authorization: Bearer {TOKEN}\r\n")
}

/// One connection.
pub(crate) struct Client<S>(pub(crate) BufReader<S>);

impl<S: Read + Write> Client<S> {
    /// Sends bytes as they are and reads one response.
    pub(crate) fn ask(&mut self, request: impl AsRef<[u8]>) -> Response {
        self.say(request);
        self.hear().unwrap()
    }

    /// Sends bytes as they are.
    pub(crate) fn say(&mut self, request: impl AsRef<[u8]>) {
        self.0.get_mut().write_all(request.as_ref()).unwrap();
    }

    /// Reads one response; a stream only to the end of its head.
    pub(crate) fn hear(&mut self) -> io::Result<Response> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if self.0.read_line(&mut head)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        let mut response = Response {
            head,
            body: String::new(),
        };
        let length = response.header("content-length");
        let length = length.map_or(0, |length| length.parse().unwrap());
        let mut body = vec![0; length];
        self.0.read_exact(&mut body)?;
        response.body = String::from_utf8(body).unwrap();
        Ok(response)
    }

    /// Whether the server has closed the connection.
    pub(crate) fn is_at_its_end(&mut self) -> bool {
        let mut rest = Vec::new();
        let end = self.0.read_to_end(&mut rest);
        assert_eq!(String::from_utf8_lossy(&rest), "");
        // What it had not read yet makes its farewell less polite.
        end.map_or_else(
            |error| error.kind() == io::ErrorKind::ConnectionReset,
            |read| read == 0,
        )
    }
}

/// What came back.
pub(crate) struct Response {
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Response {
    pub(crate) fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (found, value) = line.split_once(':')?;
            found.eq_ignore_ascii_case(name).then(|| value.trim())
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}
