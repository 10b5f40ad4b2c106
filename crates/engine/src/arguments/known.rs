//! Which tools are known? Their schemas as forms, read once, and held against what is to be run.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use jsonschema::error::ValidationErrorKind as Kind;
use jsonschema::{ValidationError, Validator};
use serde_json::{Map, Value};
use waypost_core::arguments::{Column, Form};
use waypost_core::catalog::Catalog;
use waypost_core::catalog::tools::Tool;

use super::Refused;
use super::kept::Kept;
use super::request::{ColumnGiven, ToolGiven};
use crate::cache::{Caches, Memo};
use crate::encode::{KeptTool, Reader};
use crate::retrieve::tools::which;

/// A tool that can be asked for its arguments.
pub(super) struct Known {
    pub tool: Tool,
    /// Its place in the catalog, where it is one of the catalog's.
    pub place: Option<usize>,
    pub form: Form,
    /// What a call is held against; what the schema's own fault is, where it has one.
    checker: Result<Option<Validator>, String>,
    /// The form with the columns of the data, by what rows bring.
    readable: Kept<Option<Vec<ColumnGiven>>, ReadableForm>,
}

/// A form whose slots have all their choices, columns too, and what the reader keeps of it once it was asked.
pub(super) struct ReadableForm {
    pub form: Form,
    kept: OnceLock<KeptTool>,
    memo: OnceLock<Memo>,
}

impl ReadableForm {
    /// Where what the reader sees in messages beside it is looked up.
    pub fn memo(&self, caches: Arc<Caches>) -> &Memo {
        self.memo.get_or_init(|| Memo::new(caches, &format!("form {:?}", self.form)))
    }

    /// What a reader keeps of it.
    pub fn read_by(&self, reader: &Reader) -> &KeptTool {
        self.kept.get_or_init(|| reader.keep(&self.form))
    }
}

impl Known {
    /// Reads a tool. What is asked for in steps has its slots in their order.
    fn read(tool: &Tool, place: Option<usize>, steps: &[String]) -> Result<Known, Refused> {
        let mut form = Form::read(&tool.name, &tool.description, tool.input_schema.as_ref())
            .map_err(|error| Refused::BadSchema(error.to_string()))?;
        form.slots.sort_by_key(|slot| {
            steps.iter().position(|step| slot.path.first() == Some(step)).unwrap_or(steps.len())
        });
        let schema = tool.input_schema.as_ref();
        let checker = schema.map(jsonschema::validator_for).transpose().map_err(|error| error.to_string());
        Ok(Known { tool: tool.clone(), place, form, checker, readable: Kept::default() })
    }

    /// The form with the columns that a row brings, or else with those of the catalog.
    pub fn readable(&self, shelf: &Shelf, given: Option<&Vec<ColumnGiven>>) -> Arc<ReadableForm> {
        let takes = self.form.slots.iter().any(|slot| slot.columns);
        let key = given.filter(|_| takes).cloned();
        let make = || {
            let columns = if takes { shelf.columns(key.as_ref()) } else { Arc::default() };
            let form = self.form.with_columns(&columns);
            Ok::<_, Infallible>(ReadableForm { form, kept: OnceLock::new(), memo: OnceLock::new() })
        };
        match self.readable.get(&key, make) {
            Ok(readable) => readable,
            Err(never) => match never {},
        }
    }

    /// What is wrong with a call: the slot, where it is one of them, and why.
    pub fn fault(&self, args: &Map<String, Value>) -> Option<(Option<String>, String)> {
        let checker = self.checker.as_ref().ok()?.as_ref()?;
        let call = Value::Object(args.clone());
        let fault = checker.iter_errors(&call).next()?;
        let pointer = fault.instance_path().to_string();
        let slots = self.form.slots.iter();
        let within = |slot: &&waypost_core::arguments::form::Slot| {
            let own = format!("/{}", slot.path.join("/"));
            pointer == own || pointer.strip_prefix(&own).is_some_and(|rest| rest.starts_with('/'))
        };
        Some((slots.into_iter().find(within).map(|slot| slot.name.clone()), fault.to_string()))
    }

    /// Whether a value may stand in a slot, as far as the schema says.
    pub fn accepts(&self, slot: &str, value: &Value) -> bool {
        let place = self.form.place(slot);
        let call = self.form.call(place.map(|place| (place, value.clone())));
        let checker = self.checker.as_ref().ok().and_then(Option::as_ref);
        let whole = Value::Object(call);
        let faults = checker.into_iter().flat_map(|checker| checker.iter_errors(&whole));
        // That other slots are missing is no fault of the value.
        let mut own = faults.filter(|fault| !fault.instance_path().to_string().is_empty());
        own.next().is_none()
    }

    /// What is wrong with the values of a call that may not be whole yet: that something is missing is no fault here.
    pub fn faults_of_values(&self, args: &Map<String, Value>) -> Vec<String> {
        let call = Value::Object(args.clone());
        let checker = self.checker.as_ref().ok().and_then(Option::as_ref);
        let faults = checker.into_iter().flat_map(|checker| checker.iter_errors(&call));
        let of_value = |fault: &ValidationError<'_>| match fault.kind() {
            Kind::Required { .. } | Kind::MinProperties { .. } => false,
            // Which arguments stand together can be said of a whole call alone.
            Kind::AnyOf { .. }
            | Kind::OneOfNotValid { .. }
            | Kind::OneOfMultipleValid { .. }
            | Kind::Not { .. } => !fault.instance_path().to_string().is_empty(),
            _ => true,
        };
        let told = |fault: ValidationError<'_>| {
            let place = fault.instance_path().to_string();
            if place.is_empty() { fault.to_string() } else { format!("{place}: {fault}") }
        };
        faults.filter(of_value).map(told).collect()
    }

    /// That calls cannot be held against the schema, where they cannot.
    pub fn unchecked(&self) -> Option<String> {
        let fault = self.checker.as_ref().err()?;
        Some(format!(
            "the schema of {} is no JSON Schema, so its calls are not checked: {fault}",
            self.tool.name
        ))
    }
}

/// The tools and columns that were read, so that none is read twice.
pub(super) struct Shelf {
    own: Vec<OnceLock<Result<Arc<Known>, Refused>>>,
    columns: Arc<Vec<Column>>,
    brought: Kept<String, Known>,
}

impl Shelf {
    pub fn new(catalog: &Catalog) -> Shelf {
        let column = |column: &waypost_core::catalog::Column| Column::new(&column.name, &column.aliases);
        Shelf {
            own: catalog.tools().iter().map(|_| OnceLock::new()).collect(),
            columns: Arc::new(catalog.columns().iter().map(column).collect()),
            brought: Kept::default(),
        }
    }

    /// A tool by what a row gives.
    pub fn known(&self, catalog: &Catalog, given: &ToolGiven) -> Result<Arc<Known>, Refused> {
        match given {
            ToolGiven::Named(name) => self.own(catalog, which(catalog.tools(), name)?),
            ToolGiven::Described(row) => self.brought(row),
        }
    }

    /// A tool of the catalog, by its place.
    pub fn own(&self, catalog: &Catalog, place: usize) -> Result<Arc<Known>, Refused> {
        let (Some(cell), Some(tool)) = (self.own.get(place), catalog.tools().get(place)) else {
            return Err(Refused::NoTools);
        };
        let steps = catalog.flow_of_tool(place).map(|flow| flow.steps.as_slice()).unwrap_or_default();
        let read = || Known::read(tool, Some(place), steps).map(Arc::new);
        cell.get_or_init(read).clone()
    }

    /// A tool that a row describes.
    fn brought(&self, row: &Map<String, Value>) -> Result<Arc<Known>, Refused> {
        let row = Value::Object(row.clone());
        self.brought.get(&row.to_string(), || {
            let tool = Tool::from_row(&row).map_err(|error| Refused::BadTool(error.to_string()))?;
            Known::read(&tool, None, &[])
        })
    }

    /// The columns that are talked about: the row's own, else the catalog's.
    fn columns(&self, given: Option<&Vec<ColumnGiven>>) -> Arc<Vec<Column>> {
        let Some(given) = given else { return Arc::clone(&self.columns) };
        let column = |column: &ColumnGiven| match column {
            ColumnGiven::Named(name) => Column::new(name, [""; 0]),
            ColumnGiven::Called { name, aliases } => Column::new(name, aliases),
        };
        Arc::new(given.iter().map(column).collect())
    }
}
