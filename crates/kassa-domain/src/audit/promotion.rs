//! At no time two promotions run for one set.

use super::change_log::{audit_last_change, read_last_change};
use super::{Audited, Findings};
use crate::model::promotion::Promotion;
use crate::view::{ReadSet, View};

impl Audited for Promotion {
    fn audit_read_set(&self, read_set: &mut ReadSet) -> bool {
        read_set.promotions.push(self.id);
        read_set.promotions_of.push(self.event);
        read_last_change(self.revision, read_set);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let others = view.promotions_of(self.event).filter(|other| other.overlaps(self)).map(|other| other.id);
        let others: Vec<_> = others.collect();
        let mut about = findings.checker_for("promotion", &self.id);
        audit_last_change(self, view, &mut about);
        about.expect_equal("overlap", &Vec::new(), &others);
    }
}
