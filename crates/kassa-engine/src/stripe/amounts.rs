//! Amounts as Stripe writes them: in the smallest unit of a currency, which is not a hundredth everywhere.

use kassa_domain::Money;
use kassa_texts::Currency;

/// Currencies without parts.
const WHOLE: [&str; 15] =
    ["BIF", "CLP", "DJF", "GNF", "JPY", "KMF", "KRW", "MGA", "PYG", "RWF", "VND", "VUV", "XAF", "XOF", "XPF"];
/// Currencies without parts that are written with two zeros all the same.
const WHOLE_WITH_ZEROS: [&str; 2] = ["ISK", "UGX"];
/// Currencies with a thousand parts.
const THOUSANDTHS: [&str; 5] = ["BHD", "JOD", "KWD", "OMR", "TND"];

/// The currency has no unit for an amount.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the amount is none in this currency")]
pub struct AmountFault;

/// An amount for Stripe.
pub fn to_stripe(amount: Money, currency: Currency) -> Result<i64, AmountFault> {
    let (minor, code) = (amount.minor(), currency.code());
    let has_parts = minor % 100 != 0;
    if WHOLE.contains(&code) {
        return if has_parts { Err(AmountFault) } else { Ok(minor / 100) };
    }
    if WHOLE_WITH_ZEROS.contains(&code) && has_parts {
        return Err(AmountFault);
    }
    if THOUSANDTHS.contains(&code) { minor.checked_mul(10).ok_or(AmountFault) } else { Ok(minor) }
}

/// An amount of Stripe.
pub fn from_stripe(amount: i64, currency: Currency) -> Result<Money, AmountFault> {
    let code = currency.code();
    let minor = if WHOLE.contains(&code) {
        amount.checked_mul(100).ok_or(AmountFault)?
    } else if THOUSANDTHS.contains(&code) {
        if amount % 10 != 0 {
            return Err(AmountFault);
        }
        amount / 10
    } else {
        amount
    };
    if minor < 0 { Err(AmountFault) } else { Ok(Money::from_minor(minor)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_in_the_smallest_unit_of_their_currency() {
        let sent = |minor, code: &str| to_stripe(Money::from_minor(minor), code.parse().unwrap());
        assert_eq!(sent(12_050, "EUR"), Ok(12_050));
        assert_eq!(sent(12_000, "JPY"), Ok(120));
        assert_eq!(sent(12_050, "JPY"), Err(AmountFault), "there is no half yen");
        assert_eq!(sent(12_000, "ISK"), Ok(12_000));
        assert_eq!(sent(12_050, "UGX"), Err(AmountFault));
        assert_eq!(sent(12_050, "KWD"), Ok(120_500));
        for code in ["EUR", "JPY", "ISK", "KWD"] {
            let currency = code.parse().unwrap();
            let back = to_stripe(Money::from_minor(700), currency).map(|amount| from_stripe(amount, currency));
            assert_eq!(back, Ok(Ok(Money::from_minor(700))), "{code}");
        }
        assert_eq!(from_stripe(120_501, "KWD".parse().unwrap()), Err(AmountFault));
        assert_eq!(from_stripe(-1, "EUR".parse().unwrap()), Err(AmountFault));
    }
}
