//! How much of this machine is used, and what is there to work with?
//!
//! [`Sampler`] measures on a thread of its own and a decision reads its latest figures from one atomic word;
//! [`sample_now`] is for programs that run once. [`observe`] looks for what tasks require.

mod sample;
mod sampler;
pub mod observe;

pub use sample::sample_now;
pub use sampler::Sampler;
