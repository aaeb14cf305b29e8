//! The text that Prometheus reads (its exposition format, version 0.0.4).

use std::fmt::{Display, Write as _};

use super::Histogram;

/// Samples, as they are written one by one. Those of one name stand together, behind its head.
#[derive(Debug, Default)]
pub struct MetricsText(String);

impl MetricsText {
    /// The head of a number that only grows.
    pub fn counter(&mut self, name: &str, help: &str) {
        self.head(name, "counter", help);
    }

    /// The head of a number that grows and falls.
    pub fn gauge(&mut self, name: &str, help: &str) {
        self.head(name, "gauge", help);
    }

    /// The head of a distribution.
    pub fn histogram(&mut self, name: &str, help: &str) {
        self.head(name, "histogram", help);
    }

    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let help = help.replace('\\', "\\\\").replace('\n', "\\n");
        self.line(format_args!("# HELP {name} {help}"));
        self.line(format_args!("# TYPE {name} {kind}"));
    }

    /// A number.
    pub fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels = label_set(labels, None);
        self.line(format_args!("{name}{labels} {value}"));
    }

    /// A distribution.
    pub fn distribution(&mut self, name: &str, labels: &[(&str, &str)], histogram: &Histogram) {
        let mut count = 0;
        let bounds = histogram.bounds.iter().map(|bound| decimal(*bound, histogram.unit));
        for (bound, counter) in bounds.chain(["+Inf".to_owned()]).zip(&histogram.counts) {
            count += counter.get();
            let labels = label_set(labels, Some(&bound));
            self.line(format_args!("{name}_bucket{labels} {count}"));
        }
        self.sample(&format!("{name}_sum"), labels, decimal(histogram.sum.get(), histogram.unit));
        self.sample(&format!("{name}_count"), labels, count);
    }

    /// All that was written.
    pub fn finish(self) -> String {
        self.0
    }

    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = writeln!(self.0, "{line}");
    }
}

/// Exactly, as a decimal fraction without needless digits; the unit is a power of ten.
fn decimal(value: u64, unit: u32) -> String {
    let (whole, rest) = (value / u64::from(unit), value % u64::from(unit));
    if rest == 0 {
        return whole.to_string();
    }
    let digits = unit.ilog10() as usize;
    format!("{whole}.{}", format!("{rest:0digits$}").trim_end_matches('0'))
}

fn label_set(labels: &[(&str, &str)], bound: Option<&str>) -> String {
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    let all = labels.iter().copied().chain(bound.map(|bound| ("le", bound)));
    let pairs: Vec<String> = all.map(|(name, value)| format!("{name}=\"{}\"", escaped(value))).collect();
    if pairs.is_empty() { String::new() } else { format!("{{{}}}", pairs.join(",")) }
}
