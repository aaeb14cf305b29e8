//! Tables for people.

use std::fmt::Write as _;

use super::{ReportGoal, ReportRow};

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
            row.workload.to_string(),
            row.description.clone(),
            format!("{} {}", format_figure(row.median_measured()), row.unit),
            row.median_baseline().map_or_else(String::new, format_figure),
            row.median_ratio().map_or_else(String::new, |ratio| format!("{ratio:.2}")),
            goal,
            holds.to_owned(),
        ]);
    }
    align(&lines)
}

/// Lines of as many cells each, in columns.
pub(super) fn align<const N: usize>(lines: &[[String; N]]) -> String {
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut table = String::new();
    for line in lines {
        let cells: Vec<String> = line.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        // Writing to a text never fails.
        let _ = writeln!(table, "{}", cells.join("  ").trim_end());
    }
    table
}

/// A figure with as many digits as it is worth.
pub(super) fn format_figure(figure: f64) -> String {
    match figure.abs() {
        size if size >= 100.0 => format!("{figure:.0}"),
        size if size >= 10.0 => format!("{figure:.1}"),
        _ => format!("{figure:.2}"),
    }
}
