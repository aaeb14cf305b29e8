//! A promotion as it was when an order was granted it.

use serde::{Deserialize, Serialize};

use super::Order;
use crate::model::promotion::LevelDiscount;
use crate::values::resource_ids::PromotionId;

/// A promotion as it was when it was granted to an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromotionGrant {
    /// Which.
    pub promotion: PromotionId,
    /// What it took off.
    pub discount: LevelDiscount,
}

impl Order {
    /// The promotions that act on its tickets, each once, in the order of its lines.
    pub fn applied_promotions(&self) -> Vec<PromotionId> {
        let mut acting: Vec<PromotionId> = Vec::new();
        for promotion in self.lines.iter().filter_map(|line| line.promotion) {
            if !acting.contains(&promotion) {
                acting.push(promotion);
            }
        }
        acting
    }
}
