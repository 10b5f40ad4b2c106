//! Which flags does `waypost import` have?

use std::path::PathBuf;

use clap::{ArgGroup, Args, Subcommand};

/// Where tools come from.
#[derive(Debug, Subcommand)]
pub enum Import {
    /// Ask an MCP server for its tools
    ///
    /// The server is a program that is started and spoken to over standard input and output (`-- COMMAND ARGS…`), an address
    /// that speaks streamable HTTP (--url), or a file with what it answered to tools/list (--file).
    #[command(after_help = MCP_EXAMPLES, group = ArgGroup::new("where").required(true).args(["url", "file", "program"]))]
    Mcp(Box<McpFlags>),
    /// Read tools as OpenAI's interface takes them: a list, or an object with `tools`
    Openai(FileFlags),
    /// Read an OpenAPI 3 document, as JSON or YAML: one tool an operation
    ///
    /// The name is the operationId, else method and path (`GET /pets/{id}` is get_pets_by_id). Parameters and the JSON body
    /// become one schema; references within the document are put in place. The server is the title, as `pet-store`,
    /// unless --server names it.
    Openapi(FileFlags),
    /// Read rows {"name", "description"?, "parameters" or "input_schema"?, "server"?, …}, one JSON object a line
    Jsonl(FileFlags),
}

const MCP_EXAMPLES: &str = "\
Examples:
  waypost import mcp -- npx -y @modelcontextprotocol/server-filesystem .
  waypost import mcp --url https://example.com/mcp --bearer-env EXAMPLE_KEY
  waypost import mcp --file answer.json --server files";

pub const EXAMPLES: &str = "\
Each tool becomes one line of JSON in --out, ordered by server and name. Imported again, only what
changed changes: tools that their server no longer offers are removed, other servers' tools stay,
and so does every field that you wrote or changed by hand. Hints of MCP (readOnlyHint, …) become
fields, and a missing category is derived from tag, name or server. A catalog uses the file with `tools_files: [tools.jsonl]`.

Examples:
  waypost import mcp -- npx -y @modelcontextprotocol/server-filesystem .
  waypost import openapi petstore.yaml --dry-run

Exit codes: 0 all good; 1 some tools were bad and left out; 2 nothing could be imported.";

/// The flags of every import.
#[derive(Debug, Args)]
pub struct ImportFlags {
    /// The file of tools to write, or to bring up to date
    #[arg(long, value_name = "FILE", default_value = "tools.jsonl")]
    pub out: PathBuf,

    /// The server that offers the tools. Default: what it calls itself, or what the rows say
    #[arg(long, value_name = "NAME")]
    pub server: Option<String>,

    /// Say what would change and write nothing
    #[arg(long)]
    pub dry_run: bool,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags of imports from a file.
#[derive(Debug, Args)]
pub struct FileFlags {
    /// The file to import; `-` is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    #[command(flatten)]
    pub flags: ImportFlags,
}

/// The flags of `import mcp`.
#[derive(Debug, Args)]
pub struct McpFlags {
    /// The program to start and its arguments, behind `--`
    #[arg(last = true, value_name = "COMMAND")]
    pub program: Vec<String>,

    /// The address of a server that speaks streamable HTTP
    #[arg(long)]
    pub url: Option<String>,

    /// A header for the address; may be repeated
    #[arg(long, value_name = "'K: V'", conflicts_with_all = ["program", "file"])]
    pub header: Vec<String>,

    /// The environment variable that holds the key for the address
    #[arg(long, value_name = "NAME", conflicts_with_all = ["program", "file"])]
    pub bearer_env: Option<String>,

    /// A file with what a server answered to tools/list: the answer, its result, or the list; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub file: Option<PathBuf>,

    /// How long to wait for each answer, in seconds. A program that is fetched first takes a while
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = clap::value_parser!(u64).range(1..=3600))]
    pub timeout: u64,

    #[command(flatten)]
    pub flags: ImportFlags,
}
