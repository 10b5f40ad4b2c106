//! A front desk with two departments: a catalog of your own, and what to do with each of the three outcomes.
//!
//!     cargo run --example front_desk
//!
//! The catalog is a YAML file in real life (`waypost init` writes one). Here it stands in the program, so that
//! the example is one file: two departments with patterns and keywords, and a word of trouble that brings a
//! question back instead of a guess.

use waypost::core::catalog::Source;
use waypost::{Catalog, Message, Outcome, Router};

const CATALOG: &str = r"
name: front-desk
trouble: [broken, wrong, does not work]
clarify: Is it about an invoice or about an order?
routes:
  - name: billing
    description: Invoices, payments and refunds.
    patterns:
      - { match: '(refund|invoice|charged).*', weight: 0.3 }
    keywords: [invoice, refund, payment, card]
  - name: shipping
    description: Where a parcel is, and when it comes.
    patterns:
      - { match: '(where|when).*(order|parcel|package|delivery)', weight: 0.4 }
    keywords: [parcel, delivery, tracking]
";

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A catalog that says something it may not say comes back with every problem and its place.
    let sources = [Source::new("front-desk.yaml", CATALOG)];
    let checked = Catalog::read(&sources, "front-desk");
    for problem in &checked.problems {
        print!("{}", problem.show(&sources));
    }
    let router = Router::new(checked.catalog.ok_or("the catalog cannot be used")?);

    for text in [
        "I was charged twice, can I have a refund?",
        "Where is my parcel? The tracking page is empty.",
        "My order is wrong",
        "Good morning!",
    ] {
        let answer = router.route(&Message::from(text))?;
        match (answer.outcome, answer.route, answer.clarification) {
            (Outcome::Act, Some(route), _) => {
                println!("{text}\n  → hand over to {route}: {}", answer.message)
            }
            (Outcome::Clarify, _, Some(question)) => println!("{text}\n  → ask: {}", question.question),
            _ => println!("{text}\n  → answer as usual: {}", answer.message),
        }
    }
    Ok(())
}
