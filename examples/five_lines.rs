//! The whole library in five lines: load a catalog, route a message, act on the answer.
//!
//!     cargo run --example five_lines

use waypost::{Message, Router};

fn main() -> Result<(), waypost::Error> {
    let router = Router::from_catalog("triad")?;
    let answer = router.route(&Message::from("The statistics show wrong counts"))?;
    println!("{:?} {:?}: {}", answer.outcome, answer.route, answer.message);
    Ok(())
}
