//! What was measured, as a table and as JSON; and beside what was measured before.

mod comparison;
mod table;

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::error::BenchError;

pub(crate) use comparison::BuildComparison;
pub(crate) use table::text_table;

/// A goal for a row.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReportGoal {
    AtLeast(f64),
    AtMost(f64),
}

/// What does not grow, but for what is measured with it.
pub(crate) const NO_GROWTH: ReportGoal = ReportGoal::AtMost(1.1);

/// A figure that was measured in each round, beside another one where it is a ratio that counts.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct ReportRow {
    /// The letter of the work; more than one figure may belong to it.
    #[serde(rename = "row")]
    pub(crate) workload: Cow<'static, str>,
    #[serde(rename = "what")]
    pub(crate) description: String,
    pub(crate) unit: Cow<'static, str>,
    /// What the ratio must be, or the figure where there is nothing beside it.
    pub(crate) goal: Option<ReportGoal>,
    pub(crate) rounds: Vec<ReportRound>,
}

/// One round: what was measured, and what was measured beside it.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(crate) struct ReportRound(pub(crate) f64, pub(crate) Option<f64>);

impl ReportRow {
    /// A row without rounds.
    pub(crate) fn new(name: &'static str, what: impl Into<String>, unit: &'static str) -> Self {
        Self { workload: name.into(), description: what.into(), unit: unit.into(), goal: None, rounds: Vec::new() }
    }

    pub(crate) fn goal(self, goal: ReportGoal) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Adds a figure.
    pub(crate) fn add(&mut self, ours: f64) {
        self.rounds.push(ReportRound(ours, None));
    }

    /// Adds a figure with the one that was measured beside it.
    pub(crate) fn add_with_baseline(&mut self, ours: f64, beside: f64) {
        self.rounds.push(ReportRound(ours, Some(beside)));
    }

    /// Whether both tell the same figure.
    fn is_same(&self, other: &Self) -> bool {
        self.workload == other.workload && self.description == other.description
    }

    /// What was measured in each round.
    fn figures(&self) -> Vec<f64> {
        self.rounds.iter().map(|round| round.0).collect()
    }

    /// The ratios of all rounds, where there is something beside the figures. Beside nothing there is no ratio.
    fn ratios(&self) -> Option<Vec<f64>> {
        let ratios: Vec<f64> = self.rounds.iter().filter_map(|round| round.1.map(|beside| round.0 / beside)).collect();
        (!ratios.is_empty() && ratios.iter().all(|ratio| ratio.is_finite())).then_some(ratios)
    }

    fn median_measured(&self) -> f64 {
        median(self.figures().into_iter())
    }

    fn median_baseline(&self) -> Option<f64> {
        let beside: Vec<f64> = self.rounds.iter().filter_map(|round| round.1).collect();
        (!beside.is_empty()).then(|| median(beside.into_iter()))
    }

    fn median_ratio(&self) -> Option<f64> {
        self.ratios().map(|ratios| median(ratios.into_iter()))
    }

    /// Whether more of it is better: rates are; times and memory are not.
    fn is_more_better(&self) -> bool {
        self.unit == "/s"
    }

    /// Whether the goal holds in the median of the rounds; `None` without a goal.
    pub(crate) fn is_goal_met(&self) -> Option<bool> {
        let figure = self.median_ratio().unwrap_or_else(|| self.median_measured());
        self.goal.map(|goal| match goal {
            ReportGoal::AtLeast(least) => figure >= least,
            ReportGoal::AtMost(most) => figure <= most,
        })
    }

    fn to_json(&self) -> Value {
        json!({
            "row": self.workload, "what": self.description, "unit": self.unit, "median": self.median_measured(), "beside": self.median_baseline(),
            "ratio": self.median_ratio(), "goal": self.goal, "holds": self.is_goal_met(), "rounds": self.rounds,
        })
    }
}

/// The middle of some figures, at least one.
fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<f64> = figures.collect();
    figures.sort_by(f64::total_cmp);
    let middle = figures.len() / 2;
    match figures.as_slice() {
        [] => f64::NAN,
        figures if figures.len() % 2 == 1 => figures[middle],
        figures => f64::midpoint(figures[middle - 1], figures[middle]),
    }
}

/// All rows as JSON, with the machine that they were measured on.
pub(crate) fn json_report(rows: &[ReportRow], machine: &Value) -> Value {
    let rows: Vec<Value> = rows.iter().map(ReportRow::to_json).collect();
    json!({"machine": machine, "rows": rows})
}

/// Adds the rounds of rows to those that are the same, and rows that are new.
pub(crate) fn add_rounds(rows: &mut Vec<ReportRow>, more: Vec<ReportRow>) {
    for row in more {
        match rows.iter_mut().find(|known| known.is_same(&row)) {
            Some(known) => known.rounds.extend(row.rounds),
            None => rows.push(row),
        }
    }
}

/// The rows of a run that was written as JSON.
pub(crate) fn read_report(file: &Path) -> Result<Vec<ReportRow>, BenchError> {
    #[derive(Deserialize)]
    struct Report {
        rows: Vec<ReportRow>,
    }
    let read = || -> Result<Report, BenchError> { Ok(serde_json::from_str(&fs::read_to_string(file)?)?) };
    let report = read().map_err(|error| format!("{}: {error}", file.display()))?;
    if report.rows.iter().any(|row| row.rounds.is_empty()) {
        return Err(format!("{}: a row has no rounds", file.display()).into());
    }
    Ok(report.rows)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::{ReportGoal, ReportRow, json_report, read_report, text_table};

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let mut row = ReportRow::new("a", "orders", "/s").goal(ReportGoal::AtLeast(0.5));
        row.add_with_baseline(17_000.5, 75_000.0);
        row.add(3.0);
        let written = json_report(&[row], &json!({"cores": 2}));
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), written.to_string()).unwrap();
        let read = read_report(file.path()).unwrap();
        assert_eq!(json_report(&read, &json!({"cores": 2})), written);
    }

    #[test]
    fn a_file_that_is_no_report_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in ["", "{}", r#"{"rows": [{"row": "a", "what": "orders", "unit": "/s", "rounds": []}]}"#] {
            fs::write(file.path(), text).unwrap();
            let error = read_report(file.path()).unwrap_err().to_string();
            assert!(error.contains(file.path().to_str().unwrap()), "{error}");
        }
    }

    #[test]
    fn the_median_of_the_ratios_decides() {
        let mut row = ReportRow::new("a", "orders", "/s").goal(ReportGoal::AtLeast(0.5));
        for (ours, beside) in [(10.0, 100.0), (60.0, 100.0), (90.0, 100.0)] {
            row.add_with_baseline(ours, beside);
        }
        assert_eq!(row.is_goal_met(), Some(true));
        row.add_with_baseline(1.0, 100.0);
        assert_eq!(row.is_goal_met(), Some(false));
        assert!(text_table(&[row]).contains("NO"));
    }

    #[test]
    fn without_something_beside_it_the_figure_itself_decides() {
        let mut row = ReportRow::new("h", "start", "s").goal(ReportGoal::AtMost(1.0));
        row.add(0.4);
        assert_eq!((row.is_goal_met(), row.median_ratio()), (Some(true), None));
    }
}
