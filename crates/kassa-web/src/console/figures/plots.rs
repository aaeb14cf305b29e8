//! Plots as SVG. They say nothing that does not stand in a table beside them.
#![expect(clippy::cast_precision_loss, reason = "coordinates are drawn to a tenth of a pixel")]

use std::fmt::Write as _;

/// A column of a plot.
#[derive(Clone, Debug)]
pub(super) struct Column {
    /// What stands beneath it.
    pub(super) name: String,
    /// The same in full, for the table.
    pub(super) full_name: String,
    /// How many tickets.
    pub(super) value: i64,
    /// For how much.
    pub(super) money: String,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 180.0;
/// Room above the columns and beneath them, for what is written there.
const ABOVE: f64 = 20.0;
const BENEATH: f64 = 24.0;

/// Columns, one for each; the highest has its number, the first and the last their names.
pub(super) fn columns(columns: &[Column]) -> String {
    let highest = columns.iter().map(|column| column.value).max().unwrap_or_default().max(1);
    let count = columns.len().max(1) as f64;
    let step = WIDTH / count;
    let room = HEIGHT - ABOVE - BENEATH;
    let mut svg = opened();
    let base = HEIGHT - BENEATH;
    line(&mut svg, "plot__base", (0.0, base), (WIDTH, base));
    let mut is_marked = false;
    for (at, column) in columns.iter().enumerate() {
        let height = room * column.value as f64 / highest as f64;
        let (x, y) = (at as f64 * step, base - height);
        let width = (step * 0.72).max(1.0);
        put(
            &mut svg,
            format_args!(
                "<rect class=\"plot__column\" x=\"{:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"2\"/>",
                x + (step - width) / 2.0
            ),
        );
        if column.value == highest && !is_marked {
            is_marked = true;
            text(&mut svg, (x + step / 2.0, y - 6.0), anchor(x + step / 2.0), &column.value.to_string());
        }
    }
    if let [first, .., last] = columns {
        text(&mut svg, (0.0, HEIGHT - 6.0), "start", &first.name);
        text(&mut svg, (WIDTH, HEIGHT - 6.0), "end", &last.name);
    }
    svg.push_str("</svg>");
    svg
}

/// Two lines over the same days: this one drawn through, the other dashed.
pub(super) fn pace(own: &[i64], others: &[i64], names: (&str, &str)) -> String {
    let highest = own.iter().chain(others).copied().max().unwrap_or_default().max(1) as f64;
    let count = own.len().max(others.len()).max(2);
    let (base, room) = (HEIGHT - BENEATH, HEIGHT - ABOVE - BENEATH);
    let mut svg = opened();
    line(&mut svg, "plot__base", (0.0, base), (WIDTH, base));
    let points = |values: &[i64]| {
        let place = |(at, value): (usize, &i64)| {
            format!("{:.1},{:.1}", at as f64 * WIDTH / (count - 1) as f64, base - room * *value as f64 / highest)
        };
        values.iter().enumerate().map(place).collect::<Vec<_>>().join(" ")
    };
    put(
        &mut svg,
        format_args!(
            "<polyline class=\"plot__others\" fill=\"none\" stroke-dasharray=\"6 5\" points=\"{}\"/>",
            points(others)
        ),
    );
    put(&mut svg, format_args!("<polyline class=\"plot__own\" fill=\"none\" points=\"{}\"/>", points(own)));
    text(&mut svg, (0.0, HEIGHT - 6.0), "start", names.0);
    text(&mut svg, (WIDTH, HEIGHT - 6.0), "end", names.1);
    svg.push_str("</svg>");
    svg
}

fn opened() -> String {
    format!("<svg class=\"plot\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" aria-hidden=\"true\" focusable=\"false\">")
}

fn line(svg: &mut String, class: &str, from: (f64, f64), to: (f64, f64)) {
    let ((x1, y1), (x2, y2)) = (from, to);
    put(svg, format_args!("<line class=\"{class}\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"));
}

/// Where a text stands that has its middle here: not beyond the edge.
fn anchor(x: f64) -> &'static str {
    match x {
        x if x < 40.0 => "start",
        x if x > WIDTH - 40.0 => "end",
        _ => "middle",
    }
}

fn text(svg: &mut String, at: (f64, f64), anchor: &str, words: &str) {
    let escaped = words.replace('&', "&amp;").replace('<', "&lt;");
    let (x, y) = at;
    put(
        svg,
        format_args!("<text class=\"plot__text\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{escaped}</text>"),
    );
}

fn put(svg: &mut String, part: std::fmt::Arguments<'_>) {
    // Writing to a String does not fail.
    let _ = svg.write_fmt(part);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, value: i64) -> Column {
        Column { name: name.to_owned(), full_name: name.to_owned(), value, money: String::new() }
    }

    #[test]
    fn the_highest_column_has_its_number_and_the_ends_their_names() {
        let svg = columns(&[column("1 < 2", 0), column("b", 8), column("c", 8), column("d", 4)]);
        assert_eq!(svg.matches("<rect").count(), 4);
        assert_eq!(svg.matches(">8</text>").count(), 1, "{svg}");
        assert!(svg.contains(">1 &lt; 2</text>") && svg.contains(">d</text>") && !svg.contains(">b<"), "{svg}");
        assert!(svg.contains("height=\"136.0\"") && svg.contains("height=\"68.0\""), "{svg}");
        assert!(!columns(&[]).contains("<rect"));
    }

    #[test]
    fn two_paces_are_told_apart_without_colour() {
        let svg = pace(&[0, 5, 10], &[0, 3, 5], ("a", "b"));
        assert!(svg.contains("points=\"0.0,156.0 320.0,88.0 640.0,20.0\""), "{svg}");
        assert_eq!((svg.matches("stroke-dasharray").count(), svg.matches("<polyline").count()), (1, 2));
        assert!(!svg.contains("style="));
    }
}
