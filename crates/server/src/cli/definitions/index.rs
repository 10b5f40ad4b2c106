//! Which flags does `waypost index` have?

use std::path::PathBuf;

use clap::Args;

/// The flags of `index`.
#[derive(Debug, Args)]
pub struct IndexFlags {
    /// Folders or files to read, each as PATH or as COLLECTION=PATH. A collection is called by its folder where nothing else
    /// is said. Hidden files, links, `target` and `node_modules` are left out. Without any, the `sources` of the catalog are read
    #[arg(value_name = "[NAME=]PATH")]
    pub paths: Vec<String>,

    /// The folder of the index, which is made where there is none. What changed is read again; collections that are not
    /// named stay as they are
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,

    /// The collection of every PATH that does not name its own
    #[arg(long, value_name = "NAME")]
    pub collection: Option<String>,

    /// Read only files that match a pattern such as `*.md` or `guide/**`; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub include: Vec<String>,

    /// Leave out files and folders that match a pattern; may be repeated
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub json: bool,
}
