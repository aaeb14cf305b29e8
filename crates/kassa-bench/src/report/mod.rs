//! What was measured, as a table and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A goal for a row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ReportGoal {
    AtLeast(f64),
    AtMost(f64),
}

/// What does not grow, but for what is measured with it.
pub(crate) const NO_GROWTH: ReportGoal = ReportGoal::AtMost(1.1);

/// A figure that was measured in each round, beside another one where it is a ratio that counts.
#[derive(Clone, Debug)]
pub(crate) struct ReportRow {
    /// The letter of the work; more than one figure may belong to it.
    pub(crate) workload: &'static str,
    pub(crate) description: String,
    pub(crate) unit: &'static str,
    /// What the ratio must be, or the figure where there is nothing beside it.
    pub(crate) goal: Option<ReportGoal>,
    pub(crate) rounds: Vec<ReportRound>,
}

/// One round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReportRound {
    pub(crate) measured: f64,
    pub(crate) baseline: Option<f64>,
}

impl ReportRow {
    /// A row without rounds.
    pub(crate) fn new(name: &'static str, what: impl Into<String>, unit: &'static str) -> Self {
        Self { workload: name, description: what.into(), unit, goal: None, rounds: Vec::new() }
    }

    pub(crate) fn goal(self, goal: ReportGoal) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Adds a figure.
    pub(crate) fn add(&mut self, ours: f64) {
        self.rounds.push(ReportRound { measured: ours, baseline: None });
    }

    /// Adds a figure with the one that was measured beside it.
    pub(crate) fn add_with_baseline(&mut self, ours: f64, beside: f64) {
        self.rounds.push(ReportRound { measured: ours, baseline: Some(beside) });
    }

    fn median_measured(&self) -> f64 {
        median(self.rounds.iter().map(|round| round.measured))
    }

    fn median_baseline(&self) -> Option<f64> {
        let beside: Vec<f64> = self.rounds.iter().filter_map(|round| round.baseline).collect();
        (!beside.is_empty()).then(|| median(beside.into_iter()))
    }

    fn median_ratio(&self) -> Option<f64> {
        let ratios: Vec<f64> =
            self.rounds.iter().filter_map(|round| round.baseline.map(|beside| round.measured / beside)).collect();
        // Beside nothing there is no ratio.
        (!ratios.is_empty()).then(|| median(ratios.into_iter())).filter(|ratio| ratio.is_finite())
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
        let rounds: Vec<Value> = self.rounds.iter().map(|round| json!([round.measured, round.baseline])).collect();
        let goal = self.goal.map(|goal| match goal {
            ReportGoal::AtLeast(least) => json!({"at_least": least}),
            ReportGoal::AtMost(most) => json!({"at_most": most}),
        });
        json!({
            "row": self.workload, "what": self.description, "unit": self.unit, "median": self.median_measured(), "beside": self.median_baseline(),
            "ratio": self.median_ratio(), "goal": goal, "holds": self.is_goal_met(), "rounds": rounds,
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

/// All rows as a table.
pub(crate) fn text_table(rows: &[ReportRow]) -> String {
    let mut lines = vec![["", "work", "median", "beside", "ratio", "goal", ""].map(str::to_owned)];
    for row in rows {
        let goal = row.goal.map_or_else(String::new, |goal| match goal {
            ReportGoal::AtLeast(least) => format!(">= {}", format_figure(least)),
            ReportGoal::AtMost(most) => format!("<= {}", format_figure(most)),
        });
        let holds = row.is_goal_met().map_or("", |holds| if holds { "yes" } else { "NO" });
        lines.push([
            row.workload.to_owned(),
            row.description.clone(),
            format!("{} {}", format_figure(row.median_measured()), row.unit),
            row.median_baseline().map_or_else(String::new, format_figure),
            row.median_ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            goal,
            holds.to_owned(),
        ]);
    }
    let widths: Vec<usize> =
        (0..lines[0].len()).map(|at| lines.iter().map(|line| line[at].len()).max().unwrap_or(0)).collect();
    let mut table = String::new();
    for line in lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        // Writing to a text never fails.
        let _ = writeln!(table, "{}", cells.join("  ").trim_end());
    }
    table
}

/// All rows as JSON, with the machine that they were measured on.
pub(crate) fn json_report(rows: &[ReportRow], machine: &Value) -> Value {
    let rows: Vec<Value> = rows.iter().map(ReportRow::to_json).collect();
    json!({"machine": machine, "rows": rows})
}

/// A figure with as many digits as it is worth.
fn format_figure(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{ReportGoal, ReportRow, text_table};

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
