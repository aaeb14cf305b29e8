//! Lists of orders, as files and page by page.

use kassa_domain::order::{CreateOrder, ExportOrders, Exported, Order, OrderEdit, OrderId, OrderOutcome, OrderState};
use kassa_domain::{Actor, View};
use kassa_engine::export::{Cell, Pages};
use kassa_store::queries::{OrdersFilter, Whose};

use crate::house::House;
use crate::reader::Read;
use crate::sale::Sale;

const HEADER: &str = "\u{feff}number,id,status,created_at,done_at,event,event_title,org,vendor,origin,customer_name,\
                      customer_email,customer_phone,customer_lang,tickets,price,discount,nominal,extra,full,refunded,promocodes,\
                      vendor_order_id";

impl House {
    async fn export(&self, exported: Exported) {
        let actor = Actor::Partner(exported.partner);
        let command = ExportOrders { to: "office@example.org".parse().unwrap(), exported };
        self.engine.execute(&actor, command, |_, ()| ()).await.unwrap();
    }

    /// One more order of the same organizer, without tickets.
    async fn empty_order(&self, like: &Order) -> OrderId {
        let id = |_: &View, outcome: &OrderOutcome| outcome.order.id;
        let command = CreateOrder { event: like.event, vendor: like.org, deal: None, edit: OrderEdit::default() };
        self.engine.execute(&Actor::Partner(like.org), command, id).await.unwrap()
    }
}

fn all_of(order: &Order) -> Exported {
    Exported { partner: order.org, created: None, status: None, events: None, with_customer: false }
}

/// The lines of the file that a letter carries, without the first.
fn lines(letter: &Read) -> Vec<String> {
    let [(name, csv)] = letter.files.as_slice() else { panic!("one file: {:?}", letter.files) };
    assert_eq!(name, "orders.csv");
    let mut lines = csv.strip_suffix("\r\n").unwrap().split("\r\n").map(str::to_owned);
    assert_eq!(lines.next().unwrap(), HEADER);
    lines.collect()
}

#[tokio::test]
async fn a_list_of_orders_is_a_file_that_spreadsheets_read() {
    let house = House::memory().await;
    let order = Sale { title: "=1+1, \"Night\"", ..Sale::of(&house) }.sell().await;
    house.letter().await;
    house.export(all_of(&order)).await;
    let letter = house.letter().await;
    assert_eq!(
        (letter.to.as_slice(), letter.subject.as_str()),
        (&["office@example.org".to_owned()][..], "Your list of orders")
    );
    assert!(letter.text.contains("Orders: 1\n"), "{}", letter.text);
    let expected = format!(
        "{},{},done,2026-01-01 00:00:00,2026-01-01 00:00:00,{},\"'=1+1, \"\"Night\"\"\",{},{},api,,ann@example.org,,,\
         2,50.00,0.00,50.00,0.00,50.00,0.00,,",
        order.number, order.id, order.event, order.org, order.org
    );
    assert_eq!(lines(&letter), [expected]);
}

#[tokio::test]
async fn a_list_has_what_was_there_when_it_was_asked_for() {
    let house = House::memory().await;
    let order = Sale::of(&house).sell().await;
    house.letter().await;
    let empty = house.empty_order(&order).await;
    for (exported, wanted) in [
        (all_of(&order), vec![empty, order.id]),
        (Exported { status: Some(vec![OrderState::Done]), ..all_of(&order) }, vec![order.id]),
        (Exported { with_customer: true, ..all_of(&order) }, vec![order.id]),
        (Exported { events: Some(vec![order.event]), ..all_of(&order) }, vec![empty, order.id]),
        (Exported { events: Some(Vec::new()), ..all_of(&order) }, vec![]),
        (
            Exported { created: Some((order.created_at.plus_ms(1), order.created_at.plus_ms(9))), ..all_of(&order) },
            vec![],
        ),
    ] {
        house.mailer.set_down(true);
        house.export(exported).await;
        assert_eq!(house.send().await.put_off, 1);
        house.pass_ms(crate::house::FIRST_PAUSE_MS);
        let later = house.empty_order(&order).await;
        house.mailer.set_down(false);
        let ids: Vec<String> =
            lines(&house.letter().await).iter().map(|line| line.split(',').nth(1).unwrap().to_owned()).collect();
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
    for house in [House::memory().await, House::sqlite().await] {
        let order = Sale::of(&house).sell().await;
        for _ in 0..1_000 {
            house.empty_order(&order).await;
        }
        let whose = [Whose::OrganizedBy(order.org), Whose::SoldForOthersBy(order.org)];
        let mut pages = Pages::new(&house.engine, whose, OrdersFilter::default());
        let (mut lengths, mut numbers) = (Vec::new(), Vec::new());
        while let Some(rows) = pages.next().await.unwrap() {
            lengths.push(rows.len());
            numbers.extend(rows.iter().map(|row| row.0[0].clone()));
            // What comes meanwhile moves nothing.
            house.empty_order(&order).await;
        }
        assert_eq!(lengths, [500, 500, 1]);
        let newest_first: Vec<Cell> = (0..=1_000).rev().map(|at| Cell::Number(order.number + at)).collect();
        assert_eq!(numbers, newest_first);
    }
}
