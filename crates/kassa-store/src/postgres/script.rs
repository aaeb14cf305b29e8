//! The statements of a script, one by one: some, as `CREATE INDEX CONCURRENTLY`, run in no transaction, and
//! several that are sent as one text are one.

/// The statements of `text`, without comments. It has no dollar-quoted bodies and no comments between `/*` and
/// `*/`.
pub(super) fn split_statements(text: &str) -> Vec<String> {
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
    fn a_script_is_split_into_its_statements() {
        let text =
            "-- First; of all\nCREATE TABLE a (\n    b TEXT -- said; so\n);\n\nSELECT 'it''s; --' AS \"x;--\";-- end";
        let expected = ["CREATE TABLE a (\n    b TEXT \n)", "SELECT 'it''s; --' AS \"x;--\""];
        assert_eq!(split_statements(text), expected);
        assert!(split_statements(" ;; -- nothing\n").is_empty());
    }

    #[test]
    fn no_migration_has_what_cannot_be_split() {
        for step in crate::schema_migrations::POSTGRES_MIGRATIONS {
            assert!(!step.sql.contains("$$") && !step.sql.contains("/*"), "{step}");
            let beginnings = ["CREATE ", "ALTER ", "DROP ", "UPDATE ", "INSERT ", "DELETE "];
            for statement in split_statements(step.sql) {
                assert!(beginnings.iter().any(|beginning| statement.starts_with(beginning)), "{statement}");
            }
        }
    }
}
