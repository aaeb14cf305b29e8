//! Lists of orders, as files and page by page.

use kassa_domain::invitation::InviteToRegister;
use kassa_domain::order::{CreateOrder, ExportFilter, Order, OrderEdit, OrderId, OrderOutcome, OrderStatusKind};
use kassa_domain::partner::{ManagerRef, PartnerPatch, RestorePartner, SuspendPartner, UpdatePartner};
use kassa_domain::user::{SuspendUser, UserId};
use kassa_domain::{Actor, Refusal, View};
use kassa_engine::Failure;
use kassa_engine::export::{ExportCell, ExportPages};
use kassa_store::queries::{ExportScope, OrdersFilter};

use crate::harness::MailHarness;
use crate::parsed_mail::ParsedMail;
use crate::sale::SaleFixture;

const HEADER: &str = "\u{feff}number,id,status,created_at,done_at,event,event_title,org,vendor,origin,customer_name,\
                      customer_email,customer_phone,customer_lang,tickets,price,discount,nominal,extra,full,refunded,promocodes,\
                      vendor_order_id,ticket_names,answers";

impl MailHarness {
    async fn export(&self, exported: ExportFilter) {
        self.export_to("org@example.org", exported).await.unwrap();
    }

    async fn export_to(&self, email: &str, exported: ExportFilter) -> Result<(), Failure> {
        let actor = Actor::Partner(exported.partner);
        self.engine.export_orders(&actor, email.parse().unwrap(), exported, |_, ()| ()).await
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
    let csv = str::from_utf8(csv).unwrap();
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
        (&["org@example.org".to_owned()][..], "Your list of orders")
    );
    assert!(letter.text.contains("Orders: 1\n"), "{}", letter.text);
    let expected = format!(
        "{},{},done,2026-01-01 00:00:00,2026-01-01 00:00:00,{},\"'=1+1, \"\"Night\"\"\",{},{},api,,ann@example.org,,,\
         2,50.00,0.00,50.00,0.00,50.00,0.00,,,,",
        order.number, order.id, order.event, order.organizer, order.organizer
    );
    assert_eq!(csv_lines(&letter), [expected]);
}

#[tokio::test]
async fn nothing_is_mailed_for_a_suspended_partner() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    let partner = order.organizer;
    harness.export(export_of_all(&order)).await;
    harness.engine.change_access(&Actor::Operator, SuspendPartner { partner, reason: None }).await.unwrap();
    let report = harness.send().await;
    assert_eq!((report.done, report.postponed), (1, 1), "the export is dropped, and the tickets wait");
    assert_eq!(harness.sent_mails().len(), 0);
    harness.engine.change_access(&Actor::Operator, RestorePartner { partner }).await.unwrap();
    harness.advance_ms(24 * 60 * 60_000);
    assert_eq!(harness.only_sent_mail().await.to, ["ann@example.org"]);
}

#[tokio::test]
async fn nothing_is_mailed_to_a_suspended_manager() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    harness.only_sent_mail().await;
    harness.export(export_of_all(&order)).await;
    let user = harness.user("org@example.org").await.id;
    harness.engine.change_access(&Actor::Operator, SuspendUser { user, reason: None }).await.unwrap();
    assert_eq!((harness.send().await.done, harness.sent_mails().len()), (1, 0), "the export is dropped");
    let refused = harness.export_to("org@example.org", export_of_all(&order)).await.unwrap_err();
    assert!(matches!(refused, Failure::Refused(Refusal::ExportAddress(_))), "{refused:?}");
}

#[tokio::test]
async fn an_invitation_is_mailed_as_long_as_it_is_open() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    harness.only_sent_mail().await;
    let partner = order.organizer;
    let manager = harness.confirmed_user("org@example.org").await;
    let set_users = async |emails: &[&str]| {
        let users = emails.iter().map(|email| ManagerRef::Email(email.parse().unwrap()));
        let users = Some([ManagerRef::User(manager)].into_iter().chain(users).collect());
        let command = UpdatePartner { partner, patch: PartnerPatch::default(), users };
        harness.engine.execute(&Actor::Partner(partner), command, |_, _| ()).await.unwrap();
    };
    let managers =
        UpdatePartner { partner, patch: PartnerPatch::default(), users: Some(vec![ManagerRef::User(manager)]) };
    harness.engine.execute(&Actor::Operator, managers, |_, _| ()).await.unwrap();
    set_users(&["new@example.org", "other@example.org"]).await;
    set_users(&["new@example.org"]).await;
    let letter = harness.only_sent_mail().await;
    assert_eq!((letter.to, letter.subject.as_str()), (vec!["new@example.org".to_owned()], "An invitation"));
    assert!(letter.text.contains("invited to manage this partner at tickets.example.org"), "{}", letter.text);
    let email = "third@example.org".parse().unwrap();
    harness.engine.execute(&Actor::Operator, InviteToRegister { email }, |_, _| ()).await.unwrap();
    let letter = harness.only_sent_mail().await;
    assert!(letter.text.contains("third@example.org"), "{}", letter.text);
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

#[tokio::test]
async fn a_list_goes_only_to_somebody_who_manages_the_partner_when_it_is_sent() {
    let harness = MailHarness::memory().await;
    let order = SaleFixture::default_for(&harness).sell().await;
    harness.only_sent_mail().await;
    let bob = harness.confirmed_user("bob@example.org").await;
    let refused = Err(Failure::Refused(Refusal::ExportAddress("bob@example.org".parse().unwrap())));
    assert_eq!(harness.export_to("bob@example.org", export_of_all(&order)).await, refused);
    let org = harness.confirmed_user("org@example.org").await;
    let managers = async |users: Vec<UserId>| {
        let (partner, users) = (order.organizer, Some(users.into_iter().map(ManagerRef::User).collect()));
        let command = UpdatePartner { partner, patch: PartnerPatch::default(), users };
        harness.engine.execute(&Actor::Operator, command, |_, _| ()).await.unwrap();
    };
    managers(vec![org, bob]).await;
    harness.export_to("bob@example.org", export_of_all(&order)).await.unwrap();
    assert_eq!(harness.only_sent_mail().await.to, ["bob@example.org"]);
    harness.export_to("bob@example.org", export_of_all(&order)).await.unwrap();
    managers(vec![org]).await;
    assert_eq!(harness.send().await, crate::harness::delivered(1), "it is settled, and nobody gets it");
    assert!(harness.sent_mails().is_empty());
}

#[tokio::test]
async fn confirmations_and_lists_of_others_do_not_wait_for_many_lists_of_one() {
    let harness = MailHarness::memory().await;
    let (one, other) =
        (SaleFixture::default_for(&harness).sell().await, SaleFixture::default_for(&harness).sell().await);
    harness.empty_order(&other).await;
    harness.send().await;
    harness.sent_mails();
    for _ in 0..20 {
        harness.export(export_of_all(&one)).await;
    }
    harness.export(export_of_all(&other)).await;
    harness.register("zoe@example.org").await.unwrap();
    assert_eq!(harness.send().await, crate::harness::delivered(22));
    let sent = harness.sent_mails();
    let place = |of: &dyn Fn(&ParsedMail) -> bool| sent.iter().position(of).unwrap();
    let confirmation = place(&|letter| letter.to == ["zoe@example.org"]);
    assert!(confirmation < 5, "it came after {confirmation} lists");
    // One list is sent at a time, and partners take turns.
    let list = place(&|letter| letter.text.contains("Orders: 2\n"));
    assert!(list < 5, "it came after {list} mails");
}
