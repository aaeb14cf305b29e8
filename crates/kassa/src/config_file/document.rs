//! The text of a configuration file, key by key.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::FileSetting;
use super::known::{KnownSetting, ValueKind};

/// What is wrong, and in which line.
type Finding = (usize, String);

/// All that a text sets, or all that is wrong with it.
pub(super) fn read_settings(text: &str, known: &[KnownSetting<'_>]) -> Result<Vec<FileSetting>, Vec<Finding>> {
    let line_at = |offset: usize| text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1;
    let table = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        vec![(line_at(offset), error.message().to_owned())]
    })?;
    let (mut settings, mut findings) = (Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let line = line_at(key.span().start);
        let read = find_setting(key.get_ref(), known).and_then(|setting| {
            let values = read_value(setting, value)?;
            Ok(FileSetting { variable: setting.variable(), line, values })
        });
        match read {
            Ok(setting) => settings.push(setting),
            Err(text) => findings.push((line, text)),
        }
    }
    // By line: a table has its keys in their own order.
    findings.sort();
    if findings.is_empty() { Ok(settings) } else { Err(findings) }
}

fn find_setting<'a, 'b>(key: &str, known: &'a [KnownSetting<'b>]) -> Result<&'a KnownSetting<'b>, String> {
    if let Some(setting) = known.iter().find(|setting| setting.name() == key) {
        return Ok(setting);
    }
    let nearest = known.iter().min_by_key(|setting| edit_distance(key, setting.name()));
    let hint = nearest.map(|setting| format!("; the nearest key is {}", setting.name()));
    Err(format!("unknown key {key}{}", hint.unwrap_or_default()))
}

/// The texts that a flag would be given.
fn read_value(setting: &KnownSetting<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>, String> {
    let items = value.get_ref().as_array().filter(|_| setting.is_list());
    let values = items.map_or_else(|| vec![value.get_ref()], |items| items.iter().map(Spanned::get_ref).collect());
    let values = values.into_iter().map(|value| read_scalar(setting, value)).collect::<Result<Vec<_>, _>>()?;
    setting.check_all(&values).map_err(|text| format!("{}: {text}", setting.name()))?;
    Ok(values)
}

fn read_scalar(setting: &KnownSetting<'_>, value: &DeValue<'_>) -> Result<String, String> {
    let (kind, name) = (setting.kind(), setting.name());
    let (found, text) = match value {
        DeValue::Boolean(switch) => ("true or false", (kind == ValueKind::Switch).then(|| switch.to_string())),
        DeValue::Integer(number) => {
            let number =
                i64::from_str_radix(number.as_str(), number.radix()).map_err(|error| format!("{name}: {error}"))?;
            let is_fit = matches!(kind, ValueKind::Number | ValueKind::NumberOrText);
            ("a number", is_fit.then(|| number.to_string()))
        }
        DeValue::Float(number) => ("a fraction", (kind == ValueKind::NumberOrText).then(|| number.as_str().to_owned())),
        DeValue::String(text) => {
            let is_fit = matches!(kind, ValueKind::Text | ValueKind::NumberOrText);
            ("a text", is_fit.then(|| text.clone().into_owned()))
        }
        DeValue::Datetime(_) => ("a time", None),
        DeValue::Array(_) => ("a list", None),
        DeValue::Table(_) => ("a table", None),
    };
    let expected = match kind {
        ValueKind::Switch => "true or false",
        ValueKind::Number => "a number",
        ValueKind::Text => "a text in quotes",
        ValueKind::NumberOrText => "a number or a text in quotes",
    };
    text.ok_or_else(|| format!("{name} must be {expected}, not {found}"))
}

impl KnownSetting<'_> {
    fn check_all(&self, values: &[String]) -> Result<(), String> {
        if self.kind() == ValueKind::Switch { Ok(()) } else { self.check(values) }
    }
}

/// How many letters have to be put in, taken out or replaced.
fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, theirs) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *theirs);
            diagonal = row[column + 1];
            row[column + 1] = replaced.min(row[column] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::super::known::known_settings;
    use super::*;
    use crate::Arguments;

    /// What a file says, or the findings, a line each.
    fn read(text: &str) -> Result<Vec<(String, Vec<String>)>, String> {
        let program = Arguments::command();
        let read = read_settings(text, &known_settings(&program));
        let read = read.map(|all| all.into_iter().map(|one| (one.variable, one.values)).collect());
        read.map_err(|all| all.iter().map(|(line, text)| format!("{line}: {text}")).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn each_kind_of_value_is_read() {
        let text = "listen = '0.0.0.0:80'\njson-bytes-max = 1_000\ncommission = 2.5\nallow-test-payments = true\n\
                    limit-log-ins = 'off'\nlimit-exports = 0x10\nwebhook-allow = ['10.0.0.0/8', 'hooks.internal:8080']\n";
        let mut read = read(text).unwrap();
        read.sort();
        let expected = [
            ("KASSA_ALLOW_TEST_PAYMENTS", vec!["true"]),
            ("KASSA_COMMISSION", vec!["2.5"]),
            ("KASSA_JSON_BYTES_MAX", vec!["1000"]),
            ("KASSA_LIMIT_EXPORTS", vec!["16"]),
            ("KASSA_LIMIT_LOG_INS", vec!["off"]),
            ("KASSA_LISTEN", vec!["0.0.0.0:80"]),
            ("KASSA_WEBHOOK_ALLOW", vec!["10.0.0.0/8", "hooks.internal:8080"]),
        ];
        let read: Vec<_> = read.iter().map(|(name, values)| (name.as_str(), values.clone())).collect();
        assert_eq!(read, expected.map(|(name, values)| (name, values.into_iter().map(str::to_owned).collect())));
    }

    #[test]
    fn each_mistake_is_named_with_its_line() {
        for (text, finding) in [
            ("lisen = '0.0.0.0:80'", "1: unknown key lisen; the nearest key is listen"),
            ("\n\npublic_url = 'https://example.org'", "3: unknown key public_url; the nearest key is public-url"),
            ("config = 'other.toml'", "1: unknown key config; the nearest key is log"),
            ("json-bytes-max = '1000'", "1: json-bytes-max must be a number, not a text"),
            ("shop-name = 5", "1: shop-name must be a text in quotes, not a number"),
            ("smtp-tls = true", "1: smtp-tls must be a text in quotes, not true or false"),
            ("allow-test-payments = 'yes'", "1: allow-test-payments must be true or false, not a text"),
            ("listen = ['a', 'b']", "1: listen must be a number or a text in quotes, not a list"),
            ("# TLS\n[smtp]\nhost = 'a'", "2: unknown key smtp; the nearest key is data"),
            ("smtp-tls = 'perhaps'", "1: smtp-tls: must be one of starttls, tls, off"),
            ("commission = 101", "1: commission: it must be at most 100"),
            (
                "lanes = -1\ncommission = 101",
                "1: lanes: invalid digit found in string\n2: commission: it must be at most 100",
            ),
        ] {
            assert_eq!(read(text), Err(finding.to_owned()), "{text}");
        }
        assert!(read("listen = ").unwrap_err().starts_with("1: "));
        assert!(read("\nlanes = 1\nlanes = 2").unwrap_err().starts_with("3: "));
    }
}
