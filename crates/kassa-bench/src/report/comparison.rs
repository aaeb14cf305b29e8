//! What got faster and slower between two builds.

use super::ReportRow;
use super::table::{align, format_figure};

/// The rows that both runs have, those of the later run in their order.
pub(crate) struct BuildComparison {
    rows: Vec<RowComparison>,
}

/// A row of both runs.
struct RowComparison {
    workload: String,
    description: String,
    before: f64,
    after: f64,
    /// How many times as good as before; more than 1 is better, also where less of something is better.
    gain: f64,
    verdict: Verdict,
    /// Whether it is a share of what was measured beside it, where more is better: such figures hold on any machine.
    is_share: bool,
}

/// Whether the rounds leave a doubt.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Verdict {
    /// Each round is better than each of those before.
    Better,
    /// Each round is worse than each of those before.
    Worse,
    Undecided,
}

impl BuildComparison {
    /// Holds a run against an earlier one.
    pub(crate) fn new(before: &[ReportRow], after: &[ReportRow]) -> Self {
        let same = |row: &ReportRow| before.iter().find(|old| old.is_same(row));
        Self { rows: after.iter().filter_map(|row| same(row).map(|old| RowComparison::new(old, row))).collect() }
    }

    /// Whether there is nothing that both runs have measured.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows whose share fell by more than this share of itself, each as its letter and a sentence.
    pub(crate) fn fallen(&self, share: f64) -> Vec<(String, String)> {
        let fallen = self.rows.iter().filter(|row| row.is_share && row.gain < 1.0 - share);
        fallen
            .map(|row| {
                let figures = format!("from {} to {}", format_figure(row.before), format_figure(row.after));
                (row.workload.clone(), format!("{} {} fell {figures}", row.workload, row.description))
            })
            .collect()
    }

    /// All of it as a table.
    pub(crate) fn text_table(&self) -> String {
        let mut lines = vec![["", "work", "before", "after", "gain", ""].map(str::to_owned)];
        lines.extend(self.rows.iter().map(|row| {
            let word = match row.verdict {
                Verdict::Better => "better in each round",
                Verdict::Worse => "WORSE in each round",
                Verdict::Undecided => "",
            };
            [
                row.workload.clone(),
                row.description.clone(),
                format_figure(row.before),
                format_figure(row.after),
                format!("{:.2}", row.gain),
                word.to_owned(),
            ]
        }));
        align(&lines)
    }
}

impl RowComparison {
    fn new(before: &ReportRow, after: &ReportRow) -> Self {
        let ratios = before.ratios().zip(after.ratios());
        let is_ratio = ratios.is_some();
        let (old, new) = ratios.unwrap_or_else(|| (before.figures(), after.figures()));
        let is_more_better = after.is_more_better();
        let better = |one: &[f64], other: &[f64]| {
            one.iter().all(|&x| other.iter().all(|&y| if is_more_better { x > y } else { x < y }))
        };
        let verdict = match (better(&new, &old), better(&old, &new)) {
            (true, false) => Verdict::Better,
            (false, true) => Verdict::Worse,
            _ => Verdict::Undecided,
        };
        let (before, now) = (super::median(old.into_iter()), super::median(new.into_iter()));
        Self {
            workload: after.workload.to_string(),
            description: after.description.clone(),
            before,
            after: now,
            gain: if is_more_better { now / before } else { before / now },
            verdict,
            is_share: is_ratio && is_more_better,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::BuildComparison;
    use crate::report::ReportRow;

    fn row(unit: &'static str, rounds: &[(f64, f64)]) -> ReportRow {
        let mut row = ReportRow::new("a", "orders", unit);
        for &(ours, beside) in rounds {
            row.add_with_baseline(ours, beside);
        }
        row
    }

    fn compare(unit: &'static str, before: &[(f64, f64)], after: &[(f64, f64)]) -> BuildComparison {
        BuildComparison::new(&[row(unit, before)], &[row(unit, after)])
    }

    #[test]
    fn the_share_is_compared_and_not_the_machine() {
        // The later machine is half as quick, and so is what was measured beside it.
        let compared = compare("/s", &[(20.0, 100.0)], &[(10.0, 50.0)]);
        assert!((compared.rows[0].gain - 1.0).abs() < 1e-9);
        assert!(compared.fallen(0.01).is_empty());
    }

    #[test]
    fn a_share_that_fell_by_more_than_what_is_allowed_is_named() {
        let compared = compare("/s", &[(30.0, 100.0)], &[(19.0, 100.0)]);
        assert_eq!(compared.fallen(0.34).len(), 1);
        assert_eq!(compared.fallen(0.33)[0].0, "a");
        assert!(compared.fallen(0.40).is_empty());
    }

    #[test]
    fn less_time_is_a_gain_and_more_of_it_is_no_fallen_share() {
        assert!((compare("ms", &[(4.0, 1.0)], &[(2.0, 1.0)]).rows[0].gain - 2.0).abs() < 1e-9);
        assert!(compare("ms", &[(2.0, 1.0)], &[(40.0, 1.0)]).fallen(0.33).is_empty());
    }

    #[test]
    fn only_rounds_that_all_agree_decide() {
        let apart = compare("/s", &[(20.0, 100.0), (21.0, 100.0)], &[(22.0, 100.0), (30.0, 100.0)]);
        assert!(apart.text_table().contains("better in each round"));
        let mixed = compare("/s", &[(20.0, 100.0), (25.0, 100.0)], &[(22.0, 100.0), (30.0, 100.0)]);
        assert!(!mixed.text_table().contains("in each round"));
        let slower = compare("ms", &[(1.0, 1.0)], &[(2.0, 1.0)]);
        assert!(slower.text_table().contains("WORSE in each round"));
    }

    #[test]
    fn rows_that_one_run_does_not_have_are_left_out() {
        let other = ReportRow { description: "pages".to_owned(), ..row("/s", &[(1.0, 2.0)]) };
        assert!(BuildComparison::new(&[other], &[row("/s", &[(1.0, 2.0)])]).is_empty());
    }
}
