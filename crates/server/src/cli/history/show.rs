//! `waypost history show`: how does a user stand, and who is known?

use serde_json::{Value, json};
use unicode_width::UnicodeWidthStr;
use waypost::core::history::{Completion, History, Kind, SpecialistRecord, Standing, show_instant};
use waypost::core::trace::CONTRACT_VERSION;
use waypost::store::{Adjustment, KnownUser, Store};

use super::super::definitions::ShowFlags;
use super::{Ending, Output, look, name, named, now_ms};
use crate::report::{Paint, tame};

/// Most users shown, those who came last: what a person looks through, and a program pages no further here.
const USERS_MAX: usize = 1000;
/// Most tasks of a user shown.
const TASKS_MAX: usize = 10;

/// Runs the command.
pub fn run(asked: &ShowFlags, output: &mut Output) -> anyhow::Result<Ending> {
    let store = look(&asked.kept)?;
    let at_ms = asked.at.unwrap_or_else(now_ms);
    let tenant = asked.tenant.as_deref();
    match asked.user.as_deref().map(named).transpose()? {
        Some(user) => {
            let (history, tasks) = (store.history(tenant, user)?, store.last_tasks(tenant, user, TASKS_MAX)?);
            let ended = Ended::read(&store, tenant, Some(user))?;
            let page = UserPage {
                tenant,
                user,
                standing: history.standing(None, None, at_ms),
                history,
                tasks,
                ended,
            };
            if asked.json { output.json(&page.json())? } else { output.text(&page.text(output.paint()))? }
        }
        None => {
            let page = UsersPage::read(&store, tenant, at_ms)?;
            if asked.json { output.json(&page.json())? } else { output.text(&page.text(output.paint()))? }
        }
    }
    Ok(Ending::Good)
}

/// One user.
struct UserPage<'a> {
    tenant: Option<&'a str>,
    user: &'a str,
    standing: Standing,
    history: History,
    tasks: Vec<Completion>,
    ended: Ended,
}

impl UserPage<'_> {
    fn json(&self) -> Value {
        let known = |label: &str| Some(label.to_owned()).filter(|label| !label.is_empty());
        let counts = |kind: &Kind| {
            json!({
                "area": known(&kind.area), "operation": known(&kind.operation), "total": kind.total,
                "succeeded": kind.succeeded, "success_rate": kind.success_rate(),
            })
        };
        let area = |kind: &Kind| {
            json!({
                "area": known(&kind.area), "total": kind.total,
                "succeeded": kind.succeeded, "success_rate": kind.success_rate(),
            })
        };
        json!({
            "version": CONTRACT_VERSION,
            "user": self.user,
            "tenant": self.tenant,
            "standing": standing(&self.standing),
            "total": self.history.total,
            "succeeded": self.history.succeeded,
            "recent": self.history.recent,
            "last_ms": (self.history.total > 0).then_some(self.history.last_ms),
            "areas": self.history.areas().iter().map(area).collect::<Vec<_>>(),
            "kinds": self.history.kinds.iter().map(counts).collect::<Vec<_>>(),
            "last_tasks": self.tasks,
            "specialists": self.ended.specialists(),
            "adjustments": self.ended.adjustments,
        })
    }

    fn text(&self, paint: Paint) -> String {
        let name = name(self.tenant, self.user);
        if self.history.total == 0 {
            return format!("nothing is known of {name}; {}\n", in_short(&self.standing));
        }
        let heading = format!("{}: {}\n", paint.strong(&name), in_short(&self.standing));
        let counts = |kind: &Kind| {
            [said(&kind.area), said(&kind.operation), kind.total.to_string(), rate(kind.success_rate())]
        };
        let kinds: Vec<_> = self.history.kinds.iter().map(counts).collect();
        let task = |task: &Completion| {
            let ended = if task.success { "success" } else { "failure" };
            let [area, operation] =
                [&task.area, &task.operation].map(|label| said(label.as_deref().unwrap_or_default()));
            [show_instant(task.at_ms), ended.to_owned(), said(&task.task_id), area, operation]
        };
        let tasks: Vec<_> = self.tasks.iter().map(task).collect();
        heading
            + "\n"
            + &table(["area", "operation", "tasks", "success"], &kinds, paint)
            + "\n"
            + &table(["last tasks", "ended", "task", "area", "operation"], &tasks, paint)
            + &self.ended.text(paint)
    }
}

/// Those who are known, and how they stand.
struct UsersPage<'a> {
    tenant: Option<&'a str>,
    users: Vec<(KnownUser, Standing)>,
    together: Option<Standing>,
    ended: Ended,
}

impl UsersPage<'_> {
    fn read<'a>(store: &dyn Store, tenant: Option<&'a str>, at_ms: u64) -> anyhow::Result<UsersPage<'a>> {
        let mut users = Vec::new();
        for known in store.users(tenant, USERS_MAX)? {
            let history = store.history(known.tenant.as_deref(), &known.user)?;
            users.push((known, history.standing(None, None, at_ms)));
        }
        let together = match tenant {
            Some(_) => Some(store.history_of_tenant(tenant)?.standing(None, None, at_ms)),
            None => None,
        };
        Ok(UsersPage { tenant, users, together, ended: Ended::read(store, tenant, None)? })
    }

    fn json(&self) -> Value {
        let user = |(known, stands): &(KnownUser, Standing)| {
            json!({
                "user": known.user, "tenant": known.tenant, "standing": standing(stands), "total": known.total,
                "succeeded": known.succeeded, "last_ms": known.last_ms,
            })
        };
        json!({
            "version": CONTRACT_VERSION,
            "tenant": self.tenant,
            "standing": self.together.as_ref().map(standing),
            "users": self.users.iter().map(user).collect::<Vec<_>>(),
            "specialists": self.ended.specialists(),
            "adjustments": self.ended.adjustments,
        })
    }

    fn text(&self, paint: Paint) -> String {
        if self.users.is_empty() {
            return "nobody is known; `waypost history record` tells how a task ended\n".to_owned();
        }
        let user = |(known, stands): &(KnownUser, Standing)| {
            [
                said(&known.user),
                said(known.tenant.as_deref().unwrap_or_default()),
                known.total.to_string(),
                decimals(stands.reputation_score),
                rate(stands.recent_success_rate),
                show_instant(known.last_ms),
            ]
        };
        let users: Vec<_> = self.users.iter().map(user).collect();
        let together = self.together.as_ref().map(|standing| {
            format!("\n{} together: {}\n", tame(self.tenant.unwrap_or_default()), in_short(standing))
        });
        let headings = ["user", "tenant", "tasks", "reputation", "of last ten", "last task"];
        table(headings, &users, paint) + &together.unwrap_or_default() + &self.ended.text(paint)
    }
}

/// How tasks of specialists ended, and which thresholds rules decided.
struct Ended {
    records: Vec<SpecialistRecord>,
    adjustments: Vec<Adjustment>,
}

impl Ended {
    fn read(store: &dyn Store, tenant: Option<&str>, user: Option<&str>) -> anyhow::Result<Ended> {
        let adjustments = store.adjustments(tenant, user, TASKS_MAX)?;
        Ok(Ended { records: store.specialists(tenant, user)?, adjustments })
    }

    fn specialists(&self) -> Value {
        let record = |record: &SpecialistRecord| {
            json!({
                "specialist": record.specialist, "area": Some(&record.area).filter(|area| !area.is_empty()),
                "total": record.total, "failed": record.failed, "failure_rate": record.failure_rate(),
                "errors": record.errors,
            })
        };
        self.records.iter().map(record).collect()
    }

    fn text(&self, paint: Paint) -> String {
        if self.records.is_empty() {
            return String::new();
        }
        let row = |record: &SpecialistRecord| {
            let errors: Vec<String> =
                record.errors.iter().map(|(kind, count)| format!("{} {count}", tame(kind))).collect();
            let [specialist, area] = [said(&record.specialist), said(&record.area)];
            let [total, failed] = [record.total, record.failed].map(|count| count.to_string());
            [specialist, area, total, failed, rate(record.failure_rate()), errors.join(", ")]
        };
        let rows: Vec<_> = self.records.iter().map(row).collect();
        "\n".to_owned() + &table(["specialist", "area", "tasks", "failed", "rate", "errors"], &rows, paint)
    }
}

/// A standing with all its fields: what is not known is null.
fn standing(standing: &Standing) -> Value {
    json!({
        "reputation_score": standing.reputation_score,
        "recent_success_rate": standing.recent_success_rate,
        "total_tasks_completed": standing.total_tasks_completed,
        "recent_error_count": standing.recent_error_count,
    })
}

fn in_short(standing: &Standing) -> String {
    let (tasks, errors) = (standing.total_tasks_completed, standing.recent_error_count);
    let recent = match standing.recent_success_rate {
        Some(_) => format!(
            ", {} of the last ten succeeded, errors among them: {}",
            rate(standing.recent_success_rate),
            errors.unwrap_or_default()
        ),
        None => String::new(),
    };
    let reputation = decimals(standing.reputation_score);
    format!("reputation {reputation}, tasks: {}{recent}", tasks.unwrap_or_default())
}

fn decimals(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{share:.2}"))
}

fn rate(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.0} %", share * 100.0))
}

/// What somebody wrote, fit for a terminal; a dash where they wrote nothing.
fn said(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { tame(text) }
}

/// Rows under headings, each column as wide as it must be.
pub(super) fn table<const N: usize>(headings: [&str; N], rows: &[[String; N]], paint: Paint) -> String {
    let mut widths = headings.map(UnicodeWidthStr::width);
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.width());
        }
    }
    let line = |cells: &[String; N]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| {
            let gap = " ".repeat(width.saturating_sub(cell.width()));
            format!("{cell}{gap}")
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let heading = paint.faint(&line(&headings.map(str::to_owned)));
    let body: String = rows.iter().map(|row| format!("{}\n", line(row))).collect();
    format!("{heading}\n{body}")
}
