//! What must hold after every command, whatever it was.

use kassa_domain::audit::audit_view;
use kassa_domain::{View, every_table};

/// All rows as text, to compare one moment with another.
pub(crate) fn dump(view: &View) -> Vec<String> {
    let mut lines = Vec::new();
    macro_rules! dump_tables {
        ($($field:ident: $row:ty,)*) => {
            $(lines.extend(view.$field.rows().map(|row| format!("{row:?}")));)*
        };
    }
    every_table!(dump_tables);
    lines.sort_unstable();
    lines
}

/// Panics where the books, the holders or the prices do not agree.
#[track_caller]
pub(crate) fn audit(view: &View) {
    let findings = audit_view(view);
    assert!(findings.is_empty(), "{:#?}", findings.items());
}
