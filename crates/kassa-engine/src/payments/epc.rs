//! The code that banking programs read from a screen: "Quick Response Code: Guidelines to Enable Data Capture for the
//! Initiation of a SEPA Credit Transfer" of the European Payments Council, version 002.

use kassa_domain::Money;
use kassa_domain::partner::TransferAccount;
use kassa_domain::payment::PaymentReference;

/// The longest name of an account's holder, in characters.
const HOLDER_CHARS_MAX: usize = 70;

/// The text of the code: the account, the amount in euros, and the reference as a structured one.
pub fn epc_text(account: &TransferAccount, amount: Money, reference: &PaymentReference) -> String {
    let bic = account.bic.as_ref().map_or("", |bic| bic.as_str());
    let holder: String = account.holder.chars().take(HOLDER_CHARS_MAX).collect();
    // Lines: service, version, UTF-8, kind, bank, holder, account, amount, purpose, reference.
    format!("BCD\n002\n1\nSCT\n{bic}\n{holder}\n{}\nEUR{amount}\n\n{reference}", account.iban)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_has_the_lines_of_the_guideline() {
        let mut account = TransferAccount {
            iban: "DE02120300000000202051".parse().unwrap(),
            holder: "Clûb Nord".to_owned(),
            bic: Some("BYLADEM1001".parse().unwrap()),
            days: 7,
        };
        let text = |account: &TransferAccount| {
            epc_text(account, Money::from_minor(12_050), &PaymentReference::new(53_900_754_703, 4))
        };
        let lines = "BCD\n002\n1\nSCT\nBYLADEM1001\nClûb Nord\nDE02120300000000202051\nEUR120.50\n\nRF18539007547034";
        assert_eq!(text(&account), lines);
        account.bic = None;
        assert_eq!(text(&account), lines.replace("BYLADEM1001", ""));
    }
}
