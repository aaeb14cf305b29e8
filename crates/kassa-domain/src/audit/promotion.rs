//! At no time two promotions run for one set.

use super::{Audited, Findings};
use crate::promotion::Promotion;
use crate::view::{Needs, View};

impl Audited for Promotion {
    fn compared_with(&self, needs: &mut Needs) -> bool {
        needs.promotions.push(self.id);
        needs.promotions_of.push(self.event);
        true
    }

    fn audit(&self, view: &View, findings: &mut Findings) {
        let others = view.promotions_of(self.event).filter(|other| other.collides(self)).map(|other| other.id);
        let others: Vec<_> = others.collect();
        findings.about("promotion", &self.id).same("alone", &Vec::new(), &others);
    }
}
