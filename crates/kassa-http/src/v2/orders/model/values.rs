//! What an order costs as v2 shows it.

use std::collections::BTreeMap;

use kassa_domain::order::{DiscountedPrice, Order};
use kassa_domain::set::{SetId, TicketSet};
use serde::Serialize;
use utoipa::ToSchema;

use crate::related::RelatedRowsLookup;
use crate::wire::{IdRef, MoneyBody, PromocodeRef, PromotionRef, SetRef};

/// Totals over the tickets, and prices by set.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderValues)]
pub(in crate::v2::orders) struct OrderValuesV2Body {
    /// The prices of the tickets, before discounts.
    price: MoneyBody,
    /// What promocodes and promotions take off.
    discount: MoneyBody,
    /// The prices after discounts: `price - discount`.
    nominal: MoneyBody,
    /// What the agent adds.
    extra: MoneyBody,
    /// What the customer pays: `nominal + extra`.
    full: MoneyBody,
    /// For each set of the event, by its id, the prices of one ticket: as the order has it, else as it would be now.
    #[schema(value_type = BTreeMap<SetRef, SetValuesV2Body>)]
    sets_values: BTreeMap<SetId, SetValuesV2Body>,
    /// Always empty.
    viral_promocodes: Vec<PromocodeRef>,
}

/// What one ticket of a set costs.
#[derive(Serialize, ToSchema)]
#[schema(as = OrderSetValues)]
struct SetValuesV2Body {
    /// The id of the set.
    id: SetRef,
    /// The price of one ticket, before the discount.
    price: MoneyBody,
    /// The discount on one ticket.
    discount: MoneyBody,
    /// The price after the discount: `price - discount`.
    nominal: MoneyBody,
    /// The promocode that gives the discount; `null` if there is none.
    promocode: Option<PromocodeRef>,
    /// The promotion that gives the discount; `null` if there is none.
    promotion: Option<PromotionRef>,
}

impl OrderValuesV2Body {
    pub(in crate::v2::orders) fn new(order: &Order, related: RelatedRowsLookup<'_>) -> Self {
        let sums = order.totals();
        let is_shown = |set: &&TicketSet| !set.removed || order.lines.iter().any(|line| line.set == set.id);
        let values = |set: &TicketSet| {
            let DiscountedPrice { price, promocode, promotion } = related.price_in(order, set);
            SetValuesV2Body {
                id: IdRef(set.id),
                price: MoneyBody(price.price),
                discount: MoneyBody(price.discount),
                nominal: MoneyBody(price.nominal()),
                promocode: promocode.map(IdRef),
                promotion: promotion.map(IdRef),
            }
        };
        let sets = related.sets_of(order.event).into_iter().filter(is_shown);
        Self {
            price: MoneyBody(sums.price),
            discount: MoneyBody(sums.discount),
            nominal: MoneyBody(sums.nominal),
            extra: MoneyBody(sums.surcharge),
            full: MoneyBody(sums.full),
            sets_values: sets.map(|set| (set.id, values(set))).collect(),
            viral_promocodes: Vec::new(),
        }
    }
}
