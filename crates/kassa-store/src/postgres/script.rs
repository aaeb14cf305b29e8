//! The statements of a script, one by one: some, as `CREATE INDEX CONCURRENTLY`, run in no transaction, and
//! several that are sent as one text are one.

/// The statements of `text`, without comments. It has no dollar-quoted bodies and no comments between `/*` and
/// `*/`.
pub(super) fn statements(text: &str) -> Vec<String> {
    let mut statements = vec![String::new()];
    // What ends the text, the name or the comment that a sign is in.
    let mut end = None;
    let mut signs = text.chars().peekable();
    while let Some(sign) = signs.next() {
        let comment = sign == '-' && end.is_none() && signs.peek() == Some(&'-');
        end = match end {
            Some(ending) if sign == ending => None,
            None if comment => Some('\n'),
            None if matches!(sign, '\'' | '"') => Some(sign),
            other => other,
        };
        let statement = statements.last_mut();
        match (sign, end) {
            (';', None) => statements.push(String::new()),
            (_, Some('\n')) => {}
            _ => statement.into_iter().for_each(|statement| statement.push(sign)),
        }
    }
    statements.iter().map(|statement| statement.trim().to_owned()).filter(|text| !text.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_falls_into_its_statements() {
        let text =
            "-- First; of all\nCREATE TABLE a (\n    b TEXT -- said; so\n);\n\nSELECT 'it''s; --' AS \"x;--\";-- end";
        let expected = ["CREATE TABLE a (\n    b TEXT \n)", "SELECT 'it''s; --' AS \"x;--\""];
        assert_eq!(statements(text), expected);
        assert!(statements(" ;; -- nothing\n").is_empty());
    }

    #[test]
    fn no_step_has_what_does_not_fall_apart_well() {
        for step in super::super::STEPS {
            assert!(!step.text.contains("$$") && !step.text.contains("/*"), "{step}");
            let beginnings = ["CREATE ", "ALTER ", "DROP ", "UPDATE ", "INSERT ", "DELETE "];
            for statement in statements(step.text) {
                assert!(beginnings.iter().any(|beginning| statement.starts_with(beginning)), "{statement}");
            }
        }
    }
}
