//! `nudge-echo stdio|pipes BYTES`: an MCP server with one tool, `echo`, that
//! answers with as many bytes as it was told to.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::{io::stdio_pipes, stdio};
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;

/// What a get asks for.
#[derive(Deserialize, JsonSchema)]
struct Asked {
    component: String,
    key: String,
}

#[derive(Clone)]
struct Echo {
    tool_router: ToolRouter<Self>,
    bytes: usize,
}

#[tool_router]
impl Echo {
    fn new(bytes: usize) -> Echo {
        Echo {
            tool_router: Self::tool_router(),
            bytes,
        }
    }

    #[tool(description = "Answers with the names that were asked for, at a given length")]
    async fn echo(&self, Parameters(asked): Parameters<Asked>) -> String {
        let names = format!("{}/{} ", asked.component, asked.key);
        format!("{names:.<bytes$}", bytes = self.bytes)
    }
}

#[tool_handler(router = self.tool_router)]
impl ServerHandler for Echo {}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let transport = args.next();
    let bytes = args.next().map_or(Ok(0), |bytes| bytes.parse())?;
    let echo = Echo::new(bytes);
    let running = match transport.as_deref() {
        Some("stdio") => echo.serve(stdio()).await?,
        Some("pipes") => echo.serve(stdio_pipes()).await?,
        _ => return Err("say `stdio` or `pipes`, and how many bytes to answer with".into()),
    };
    running.waiting().await?;
    Ok(())
}
