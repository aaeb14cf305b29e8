//! How far money that is given back is on its way.

/// What a sum is called that was granted to a customer, by the states of the payments of its order. A decision moves no
/// money: by transfer and at the door the seller sends it, and a provider takes its time.
pub(crate) fn money_back_key<'a>(payments: impl IntoIterator<Item = &'a str>) -> &'static str {
    let mut has_payments = false;
    for state in payments {
        match state {
            "returning" => return "refund-under-way",
            "paid" | "returned" => has_payments = true,
            _ => {}
        }
    }
    // What was paid without a payment here is given back without one.
    if has_payments { "refunded" } else { "refund-granted" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_paid_back_before_it_has_gone() {
        for (payments, key) in [
            (&["failed", "returning"][..], "refund-under-way"),
            (&["paid", "returning"], "refund-under-way"),
            (&["returned"], "refunded"),
            (&["canceled", "paid"], "refunded"),
            (&["canceled"], "refund-granted"),
            (&[], "refund-granted"),
        ] {
            assert_eq!(money_back_key(payments.iter().copied()), key, "{payments:?}");
        }
    }
}
