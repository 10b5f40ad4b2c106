//! **What shall we use?** Tools and knowledge, found by their words and by what they mean.
//!
//! Words are counted here; meanings come in as similarities, which the engine has from its encoder. Each way of finding is a
//! leg; legs are brought to one scale and added, and how much words count depends on how much text there is to find them in.

pub mod terms;
pub mod lexical;
pub mod legs;
pub mod pool;
pub mod ranked;
pub mod judged;
pub mod hops;
pub mod shelf;
pub mod fitting;
pub mod parts;
pub mod ties;
pub mod offered;
