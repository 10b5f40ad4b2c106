//! `waypost fit`: how sure must each route be?

use anyhow::bail;
use waypost::core::trace::CONTRACT_VERSION;
use waypost::learn::{Cache, Lock};
use waypost::{Router, find_catalog};

use super::definitions::FitFlags;
use super::output::Output;
use super::{Ending, progress};
use crate::report;

/// The precision wanted where neither the command nor the catalog says.
const TARGET_DEFAULT: f64 = 0.98;

/// Runs the command.
pub fn run(catalog: Option<&str>, asked: &FitFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let router = learned(catalog)?;
    let wanted = router.catalog().thresholds().target_precision.map(|target| target.points().share());
    let target = asked.target_precision.or(wanted).unwrap_or(TARGET_DEFAULT);
    output.remarks(router.notes());
    let Some(lock) = router.fit(target).filter(|lock| !lock.tiers.is_empty()) else {
        bail!("nothing was learned; give the routes examples, and see that their encoder works");
    };
    show(&lock, asked.json, output)?;
    let file = asked.out.as_deref().or_else(|| router.lock_file()).filter(|_| !asked.dry_run);
    match file {
        Some(_) if !lock.promises() => {
            output.remark(&format!(
                "nothing is written: {target} cannot be promised; more examples or a lower target can"
            ));
        }
        Some(file) => {
            lock.write(file)?;
            output.remark(&format!("wrote {}", file.display()));
        }
        None if asked.dry_run => {}
        None => output.remark("a shipped catalog has no place for a lock; --out FILE names one"),
    }
    Ok(Ending::Good)
}

/// The router of a catalog whose heads have learned it from the beginning, now or before.
fn learned(catalog: Option<&str>) -> anyhow::Result<Router> {
    let waiting = progress::waiting("learning from the examples");
    let router = Router::open(&find_catalog(catalog), &Cache::of_user().whole())?;
    router.get_ready();
    waiting.finish_and_clear();
    Ok(router)
}

fn show(lock: &Lock, json: bool, output: &mut Output) -> anyhow::Result<()> {
    if json {
        output.json(&serde_json::json!({ "version": CONTRACT_VERSION, "lock": lock }))?;
    } else {
        output.text(&report::thresholds(lock, output.paint()))?;
    }
    Ok(())
}
