//! What was measured, as a table and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};

/// A goal for a row.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

/// What does not grow, but for what is measured with it.
pub(super) const FLAT: Goal = Goal::AtMost(1.1);

/// A figure that was measured in each round, beside another one where it is a ratio that counts.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The letter of the work; more than one figure may belong to it.
    pub(super) name: &'static str,
    pub(super) what: String,
    pub(super) unit: &'static str,
    /// What the ratio must be, or the figure where there is nothing beside it.
    pub(super) goal: Option<Goal>,
    pub(super) rounds: Vec<Round>,
}

/// One round.
#[derive(Clone, Copy, Debug)]
pub(super) struct Round {
    pub(super) ours: f64,
    pub(super) beside: Option<f64>,
}

impl Row {
    /// A row without rounds.
    pub(super) fn new(name: &'static str, what: impl Into<String>, unit: &'static str) -> Self {
        Self { name, what: what.into(), unit, goal: None, rounds: Vec::new() }
    }

    pub(super) fn goal(self, goal: Goal) -> Self {
        Self { goal: Some(goal), ..self }
    }

    /// Adds a figure.
    pub(super) fn add(&mut self, ours: f64) {
        self.rounds.push(Round { ours, beside: None });
    }

    /// Adds a figure with the one that was measured beside it.
    pub(super) fn add_beside(&mut self, ours: f64, beside: f64) {
        self.rounds.push(Round { ours, beside: Some(beside) });
    }

    fn ours(&self) -> f64 {
        median(self.rounds.iter().map(|round| round.ours))
    }

    fn beside(&self) -> Option<f64> {
        let beside: Vec<f64> = self.rounds.iter().filter_map(|round| round.beside).collect();
        (!beside.is_empty()).then(|| median(beside.into_iter()))
    }

    fn ratio(&self) -> Option<f64> {
        let ratios: Vec<f64> =
            self.rounds.iter().filter_map(|round| round.beside.map(|beside| round.ours / beside)).collect();
        // Beside nothing there is no ratio.
        (!ratios.is_empty()).then(|| median(ratios.into_iter())).filter(|ratio| ratio.is_finite())
    }

    /// Whether the goal holds in the median of the rounds; `None` without a goal.
    pub(super) fn holds(&self) -> Option<bool> {
        let figure = self.ratio().unwrap_or_else(|| self.ours());
        self.goal.map(|goal| match goal {
            Goal::AtLeast(least) => figure >= least,
            Goal::AtMost(most) => figure <= most,
        })
    }

    fn to_json(&self) -> Value {
        let rounds: Vec<Value> = self.rounds.iter().map(|round| json!([round.ours, round.beside])).collect();
        let goal = self.goal.map(|goal| match goal {
            Goal::AtLeast(least) => json!({"at_least": least}),
            Goal::AtMost(most) => json!({"at_most": most}),
        });
        json!({
            "row": self.name, "what": self.what, "unit": self.unit, "median": self.ours(), "beside": self.beside(),
            "ratio": self.ratio(), "goal": goal, "holds": self.holds(), "rounds": rounds,
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
pub(super) fn table(rows: &[Row]) -> String {
    let mut lines = vec![["", "work", "median", "beside", "ratio", "goal", ""].map(str::to_owned)];
    for row in rows {
        let goal = row.goal.map_or_else(String::new, |goal| match goal {
            Goal::AtLeast(least) => format!(">= {}", figure(least)),
            Goal::AtMost(most) => format!("<= {}", figure(most)),
        });
        let holds = row.holds().map_or("", |holds| if holds { "yes" } else { "NO" });
        lines.push([
            row.name.to_owned(),
            row.what.clone(),
            format!("{} {}", figure(row.ours()), row.unit),
            row.beside().map_or_else(String::new, figure),
            row.ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
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
pub(super) fn document(rows: &[Row], machine: &Value) -> Value {
    let rows: Vec<Value> = rows.iter().map(Row::to_json).collect();
    json!({"machine": machine, "rows": rows})
}

/// A figure with as many digits as it is worth.
fn figure(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::{Goal, Row, table};

    #[test]
    fn the_median_of_the_ratios_decides() {
        let mut row = Row::new("a", "orders", "/s").goal(Goal::AtLeast(0.5));
        for (ours, beside) in [(10.0, 100.0), (60.0, 100.0), (90.0, 100.0)] {
            row.add_beside(ours, beside);
        }
        assert_eq!(row.holds(), Some(true));
        row.add_beside(1.0, 100.0);
        assert_eq!(row.holds(), Some(false));
        assert!(table(&[row]).contains("NO"));
    }

    #[test]
    fn without_something_beside_it_the_figure_itself_decides() {
        let mut row = Row::new("h", "start", "s").goal(Goal::AtMost(1.0));
        row.add(0.4);
        assert_eq!((row.holds(), row.ratio()), (Some(true), None));
    }
}
