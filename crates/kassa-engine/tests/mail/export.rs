//! Lists of orders, as files and page by page.

use kassa_domain::order::{
    CreateOrder, ExportFilter, ExportOrders, Order, OrderEdit, OrderId, OrderOutcome, OrderStatusKind,
};
use kassa_domain::{Actor, View};
use kassa_engine::export::{ExportCell, ExportPages};
use kassa_store::queries::{ExportScope, OrdersFilter};

use crate::harness::MailHarness;
use crate::parsed_mail::ParsedMail;
use crate::sale::SaleFixture;

const HEADER: &str = "\u{feff}number,id,status,created_at,done_at,event,event_title,org,vendor,origin,customer_name,\
                      customer_email,customer_phone,customer_lang,tickets,price,discount,nominal,extra,full,refunded,promocodes,\
                      vendor_order_id";

impl MailHarness {
    async fn export(&self, exported: ExportFilter) {
        let actor = Actor::Partner(exported.partner);
        let command = ExportOrders { to: "office@example.org".parse().unwrap(), filter: exported };
        self.engine.execute(&actor, command, |_, ()| ()).await.unwrap();
    }

    /// One more order of the same organizer, without tickets.
    async fn empty_order(&self, like: &Order) -> OrderId {
        let id = |_: &View, outcome: &OrderOutcome| outcome.order.id;
        let command = CreateOrder { event: like.event, vendor: like.organizer, deal: None, edit: OrderEdit::default() };
        self.engine.execute(&Actor::Partner(like.organizer), command, id).await.unwrap()
    }
}

fn export_of_all(order: &Order) -> ExportFilter {
    ExportFilter { partner: order.organizer, created: None, status: None, events: None, with_customer: false }
}

/// The lines of the file that a letter carries, without the first.
fn csv_lines(letter: &ParsedMail) -> Vec<String> {
    let [(name, csv)] = letter.files.as_slice() else { panic!("one file: {:?}", letter.files) };
    assert_eq!(name, "orders.csv");
    let mut lines = csv.strip_suffix("\r\n").unwrap().split("\r\n").map(str::to_owned);
    assert_eq!(lines.next().unwrap(), HEADER);
    lines.collect()
}

#[tokio::test]
async fn a_list_of_orders_is_a_file_that_spreadsheets_read() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture { title: "=1+1, \"Night\"", ..SaleFixture::default_for(&harness) }.sell().await;
    harness.only_sent_mail().await;
    harness.export(export_of_all(&order)).await;
    let letter = harness.only_sent_mail().await;
    assert_eq!(
        (letter.to.as_slice(), letter.subject.as_str()),
        (&["office@example.org".to_owned()][..], "Your list of orders")
    );
    assert!(letter.text.contains("Orders: 1\n"), "{}", letter.text);
    let expected = format!(
        "{},{},done,2026-01-01 00:00:00,2026-01-01 00:00:00,{},\"'=1+1, \"\"Night\"\"\",{},{},api,,ann@example.org,,,\
         2,50.00,0.00,50.00,0.00,50.00,0.00,,",
        order.number, order.id, order.event, order.organizer, order.organizer
    );
    assert_eq!(csv_lines(&letter), [expected]);
}

#[tokio::test]
async fn an_export_holds_the_orders_that_existed_when_requested() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    harness.only_sent_mail().await;
    let empty = harness.empty_order(&order).await;
    for (exported, wanted) in [
        (export_of_all(&order), vec![empty, order.id]),
        (ExportFilter { status: Some(vec![OrderStatusKind::Paid]), ..export_of_all(&order) }, vec![order.id]),
        (ExportFilter { with_customer: true, ..export_of_all(&order) }, vec![order.id]),
        (ExportFilter { events: Some(vec![order.event]), ..export_of_all(&order) }, vec![empty, order.id]),
        (ExportFilter { events: Some(Vec::new()), ..export_of_all(&order) }, vec![]),
        (
            ExportFilter {
                created: Some((order.created_at.plus_ms(1), order.created_at.plus_ms(9))),
                ..export_of_all(&order)
            },
            vec![],
        ),
    ] {
        harness.mailer.set_down(true);
        harness.export(exported).await;
        assert_eq!(harness.send().await.postponed, 1);
        harness.advance_ms(crate::harness::FIRST_RETRY_MS);
        let later = harness.empty_order(&order).await;
        harness.mailer.set_down(false);
        let ids: Vec<String> = csv_lines(&harness.only_sent_mail().await)
            .iter()
            .map(|line| line.split(',').nth(1).unwrap().to_owned())
            .collect();
        let wanted: Vec<String> = wanted.iter().map(ToString::to_string).collect();
        let seen: Vec<&String> = ids.iter().filter(|id| wanted.contains(id)).collect();
        assert_eq!(seen, wanted.iter().collect::<Vec<_>>());
        let of_old = [empty, order.id].map(|id| id.to_string());
        assert!(of_old.iter().all(|id| ids.contains(id) == wanted.contains(id)), "{ids:?} {wanted:?}");
        assert!(!ids.contains(&later.to_string()), "it came later: {ids:?}");
    }
}

#[tokio::test]
async fn a_long_list_is_read_page_by_page_and_each_order_once() {
    for harness in [MailHarness::memory().await, MailHarness::sqlite().await] {
        let order = SaleFixture::default_for(&harness).sell().await;
        for _ in 0..1_000 {
            harness.empty_order(&order).await;
        }
        let whose = [ExportScope::OfOrganizer(order.organizer), ExportScope::OfAgent(order.organizer)];
        let mut pages = ExportPages::new(&harness.engine, whose, OrdersFilter::default());
        let (mut lengths, mut numbers) = (Vec::new(), Vec::new());
        while let Some(rows) = pages.next().await.unwrap() {
            lengths.push(rows.len());
            numbers.extend(rows.iter().map(|row| row.0[0].clone()));
            // What comes meanwhile moves nothing.
            harness.empty_order(&order).await;
        }
        assert_eq!(lengths, [500, 500, 1]);
        let newest_first: Vec<ExportCell> = (0..=1_000).rev().map(|at| ExportCell::Number(order.number + at)).collect();
        assert_eq!(numbers, newest_first);
    }
}
