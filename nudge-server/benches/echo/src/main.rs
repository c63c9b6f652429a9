//! `nudge-echo BYTES`: an MCP server with one tool, `echo`, that answers with as many bytes as it
//! was told to.

use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::stdio;
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
    let bytes = std::env::args().nth(1);
    let bytes = bytes.ok_or("say how many bytes to answer with")?.parse()?;
    let running = Echo::new(bytes).serve(stdio()).await?;
    running.waiting().await?;
    Ok(())
}
