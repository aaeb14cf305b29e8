//! Statements in the XML of ISO 20022: camt.053.001, whose versions 02 and 08 banks send.

use kassa_domain::Money;
use kassa_domain::attachment::Hex128;
use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use std::collections::HashMap;

use super::{ENTRIES_MAX, StatementEntry, StatementError, clean_text, entry_id, iso_date};

/// What the namespace of every version begins with.
const NAMESPACE: &str = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.";
/// Elements in elements, at most.
const DEPTH_MAX: usize = 40;
/// Elements of one entry, at most.
const ELEMENTS_MAX: usize = 20_000;
/// Banks that have no reference say so.
const NO_REFERENCES: [&str; 4] = ["", "NONREF", "NOTPROVIDED", "NONE"];

/// An element with what is in it.
#[derive(Default)]
struct Element {
    name: String,
    /// The attribute `Ccy`.
    currency: Option<String>,
    text: String,
    children: Vec<Element>,
}

/// Reads a statement. It has no document type, and so no entities but those of XML itself.
pub fn read_camt(text: &str) -> Result<Vec<StatementEntry>, StatementError> {
    let mut reader = Reader::from_str(text.trim_start_matches('\u{feff}'));
    let mut statement = Statement::default();
    let mut open: Vec<Element> = Vec::new();
    let mut elements = 0;
    loop {
        let event = reader.read_event().map_err(|error| malformed(&error))?;
        match event {
            Event::Start(start) => {
                open.push(begin(&start, open.is_empty())?);
                elements += 1;
                if open.len() > DEPTH_MAX || elements > ELEMENTS_MAX {
                    return Err(StatementError::Camt("too many elements in one".to_owned()));
                }
            }
            Event::Empty(start) => {
                let element = begin(&start, open.is_empty())?;
                end(element, &mut open, &mut statement)?;
            }
            Event::End(_) => {
                let Some(element) = open.pop() else { return Err(malformed(&"an end without a beginning")) };
                if matches!(element.name.as_str(), "Ntry" | "Acct") {
                    elements = 0;
                }
                end(element, &mut open, &mut statement)?;
            }
            Event::Text(text) => add_text(&mut open, &text.xml10_content().map_err(|error| malformed(&error))?),
            Event::CData(text) => add_text(&mut open, &text.xml10_content().map_err(|error| malformed(&error))?),
            Event::GeneralRef(reference) => add_text(&mut open, &resolved(&reference)?),
            Event::DocType(_) => return Err(StatementError::Camt("it has a document type".to_owned())),
            Event::Decl(_) | Event::PI(_) | Event::Comment(_) => {}
            Event::Eof => break,
        }
    }
    if !open.is_empty() || !statement.is_complete {
        return Err(StatementError::Camt("it ends too early".to_owned()));
    }
    Ok(statement.entries)
}

fn malformed(error: &dyn std::fmt::Display) -> StatementError {
    StatementError::Camt(error.to_string())
}

fn begin(start: &BytesStart<'_>, is_root: bool) -> Result<Element, StatementError> {
    let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
    let mut element = Element { name, ..Element::default() };
    let mut is_camt = false;
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| malformed(&error))?;
        let value = String::from_utf8_lossy(&attribute.value);
        match attribute.key.as_ref() {
            b"Ccy" => element.currency = Some(value.into_owned()),
            key if key == b"xmlns" || key.starts_with(b"xmlns:") => is_camt |= value.starts_with(NAMESPACE),
            _ => {}
        }
    }
    if is_root && !(is_camt && element.name == "Document") {
        return Err(StatementError::Camt(format!("its root is no Document of {NAMESPACE}…")));
    }
    Ok(element)
}

fn add_text(open: &mut [Element], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn resolved(reference: &BytesRef<'_>) -> Result<String, StatementError> {
    if let Some(character) = reference.resolve_char_ref().map_err(|error| malformed(&error))? {
        return Ok(character.to_string());
    }
    let name = reference.decode().map_err(|error| malformed(&error))?;
    let known = match name.as_ref() {
        "amp" => "&",
        "lt" => "<",
        "gt" => ">",
        "quot" => "\"",
        "apos" => "'",
        other => return Err(StatementError::Camt(format!("it has an entity &{other};"))),
    };
    Ok(known.to_owned())
}

/// What has been read.
#[derive(Default)]
struct Statement {
    account: String,
    entries: Vec<StatementEntry>,
    /// How many there are of those that are alike in all.
    alike: HashMap<Hex128, usize>,
    is_complete: bool,
}

/// Takes an element that is closed: entries are read at once, and not kept.
fn end(element: Element, open: &mut [Element], statement: &mut Statement) -> Result<(), StatementError> {
    let Some(parent) = open.last_mut() else {
        statement.is_complete = true;
        return Ok(());
    };
    match (parent.name.as_str(), element.name.as_str()) {
        ("Stmt", "Acct") => {
            let id = element.at(&["Id", "IBAN"]).or_else(|| element.at(&["Id", "Othr", "Id"]));
            statement.account = id.map(Element::line).unwrap_or_default();
        }
        ("Stmt", "Ntry") => statement.add(&element)?,
        // Balances, headers and sums.
        ("Stmt" | "BkToCstmrStmt", _) => {}
        _ => parent.children.push(element),
    }
    Ok(())
}

impl Element {
    fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.children.iter().find(|child| child.name == *name))
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn line(&self) -> String {
        clean_text(&self.text)
    }

    fn text_at(&self, path: &[&str]) -> String {
        self.at(path).map(Self::line).unwrap_or_default()
    }

    /// A reference of the bank; empty if there is none.
    fn reference_at(&self, path: &[&str]) -> String {
        let text = self.text_at(path);
        if NO_REFERENCES.contains(&text.to_ascii_uppercase().as_str()) { String::new() } else { text }
    }

    /// The first of the texts that is there.
    fn first_of(&self, paths: &[&[&str]]) -> String {
        paths.iter().map(|path| self.text_at(path)).find(|text| !text.is_empty()).unwrap_or_default()
    }

    /// The amount of a transaction within an entry.
    fn own_amount(&self) -> Option<&Self> {
        self.at(&["Amt"]).or_else(|| self.at(&["AmtDtls", "TxAmt", "Amt"]))
    }

    /// All that was said with a transaction, and what is there to find it by.
    fn collect_texts(&self, texts: &mut Vec<String>) {
        let remittance: Vec<&Self> = self.all("RmtInf").collect();
        let structured = remittance.iter().flat_map(|info| info.all("Strd"));
        let mut add = |text: String| {
            if !text.is_empty() {
                texts.push(text);
            }
        };
        structured.for_each(|info| {
            add(info.text_at(&["CdtrRefInf", "Ref"]));
            info.all("AddtlRmtInf").for_each(|more| add(more.line()));
        });
        remittance.iter().flat_map(|info| info.all("Ustrd")).for_each(|info| add(info.line()));
        add(self.reference_at(&["Refs", "EndToEndId"]));
        add(self.text_at(&["AddtlTxInf"]));
    }
}

impl Statement {
    /// An entry, or each transaction in it, where the bank says how much each is.
    fn add(&mut self, entry: &Element) -> Result<(), StatementError> {
        let details: Vec<&Element> = entry.all("NtryDtls").flat_map(|details| details.all("TxDtls")).collect();
        let sum = |amounts: &[&Element]| -> Option<Money> {
            amounts.iter().map(|amount| amount.line().parse::<Money>().ok()).sum()
        };
        let amounts: Vec<&Element> = details.iter().filter_map(|transaction| transaction.own_amount()).collect();
        let whole = entry.at(&["Amt"]).ok_or_else(|| StatementError::Camt("an entry has no Amt".to_owned()))?;
        let is_split = details.len() > 1
            && amounts.len() == details.len()
            && amounts.iter().all(|amount| amount.currency == whole.currency)
            && sum(&amounts).is_some_and(|sum| Some(sum) == whole.line().parse().ok());
        if is_split {
            for (at, (transaction, amount)) in details.iter().zip(amounts).enumerate() {
                self.add_one(entry, &[transaction], amount, at)?;
            }
            return Ok(());
        }
        self.add_one(entry, &details, whole, 0)
    }

    fn add_one(
        &mut self,
        entry: &Element,
        transactions: &[&Element],
        amount: &Element,
        at: usize,
    ) -> Result<(), StatementError> {
        if self.entries.len() == ENTRIES_MAX {
            return Err(StatementError::TooLong);
        }
        let booked = entry.first_of(&[&["BookgDt", "Dt"], &["BookgDt", "DtTm"], &["ValDt", "Dt"], &["ValDt", "DtTm"]]);
        let date = booked.get(..10).and_then(|date| {
            let mut parts = date.split('-');
            iso_date(parts.next()?, parts.next()?, parts.next()?)
        });
        let date = date.ok_or_else(|| StatementError::Camt(format!("{booked:?} is no date of an entry")))?;
        let first = transactions.first();
        let name = first.map(|transaction| {
            transaction.first_of(&[
                &["RltdPties", "Dbtr", "Nm"],
                &["RltdPties", "Dbtr", "Pty", "Nm"],
                &["RltdPties", "UltmtDbtr", "Nm"],
                &["RltdPties", "UltmtDbtr", "Pty", "Nm"],
            ])
        });
        let mut texts = Vec::new();
        for transaction in transactions {
            transaction.collect_texts(&mut texts);
        }
        let more = entry.text_at(&["AddtlNtryInf"]);
        texts.extend(Some(more).filter(|text| !text.is_empty()));
        let is_returned = transactions.iter().any(|transaction| transaction.at(&["RtrInf"]).is_some());
        let direction = first.map(|transaction| transaction.text_at(&["CdtDbtInd"])).filter(|text| !text.is_empty());
        let direction = direction.unwrap_or_else(|| entry.text_at(&["CdtDbtInd"]));
        let is_booked = entry.first_of(&[&["Sts", "Cd"], &["Sts"]]) == "BOOK";
        let is_reversal = matches!(entry.text_at(&["RvslInd"]).as_str(), "true" | "1");
        let (name, currency) = (name.unwrap_or_default(), amount.currency.clone().unwrap_or_default());
        let parsed = amount.line().parse::<Money>().ok().filter(|amount| *amount > Money::ZERO);
        let (of_entry, of_transaction) = (
            entry.reference_at(&["AcctSvcrRef"]),
            first.map(|transaction| transaction.reference_at(&["Refs", "AcctSvcrRef"])).unwrap_or_default(),
        );
        let shown = amount.line();
        let id = if of_entry.is_empty() && of_transaction.is_empty() {
            let said = texts.join("\n");
            let all = [&self.account, &date, &shown, &currency, &direction, &name, &said].map(String::as_str);
            let content = entry_id("camt", &all);
            let number = self.alike.entry(content).or_default();
            *number += 1;
            entry_id("camt entry", &[&content.to_string(), &number.to_string()])
        } else {
            let at = at.to_string();
            entry_id("camt reference", &[&self.account, &of_entry, &of_transaction, &at, &date, &shown])
        };
        let is_receipt = direction == "CRDT" && is_booked && !is_reversal && !is_returned && parsed.is_some();
        self.entries.push(StatementEntry { id, date, amount: parsed, currency, name, texts, is_receipt });
        Ok(())
    }
}
