//! The console, by forms alone.

mod accounts;
mod events;
mod figures;
mod integrations;
mod money;
mod offers;
mod platform;
mod prices;
mod roles;
mod sales;
mod settings;
mod shop;
mod sorting;
mod split;
mod team;
mod tickets;
mod venues;

use std::cell::{Cell, RefCell};

use kassa_domain::user::User;
use kassa_domain::{ReadSet, user::Email};
use kassa_http::http::header;
use serde_json::{Value, json};

use crate::harness::{EVENING, Page, Shop};

const PASSWORD: &str = "correct horse";

/// A text of a page, as whoever reads the page has it.
fn plain(html: &str) -> String {
    [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")]
        .iter()
        .fold(html.to_owned(), |text, (code, letter)| text.replace(code, letter))
}

/// Somebody with a browser: its cookies, and how many forms it has sent.
struct Browser<'s> {
    shop: &'s Shop,
    session: RefCell<String>,
    forms: Cell<u32>,
}

/// A value as forms carry it.
fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

/// What stands behind a mark in a page, up to a quotation mark.
fn after<'p>(page: &'p str, mark: &str) -> &'p str {
    let (_, rest) = page.split_once(mark).unwrap_or_else(|| panic!("{mark} is not in\n{page}"));
    rest.split_once('"').unwrap().0
}

impl<'s> Browser<'s> {
    fn new(shop: &'s Shop) -> Self {
        Self { shop, session: RefCell::default(), forms: Cell::default() }
    }

    /// One that has registered.
    async fn registered(shop: &'s Shop, email: &str) -> Self {
        let browser = Self::new(shop);
        let made = browser.send("/console/register", &[("email", email), ("password", PASSWORD)]).await;
        assert_eq!(made.leads_to(), "/console?done=created");
        browser
    }

    /// One whose user has a partner: the path of its console.
    async fn with_partner(shop: &'s Shop, email: &str, name: &str) -> (Self, String) {
        let browser = Self::registered(shop, email).await;
        let made = browser.send("/console/new", &[("name", name), ("org", "true")]).await;
        let home = made.leads_to().split('?').next().unwrap().to_owned();
        (browser, home)
    }

    async fn get(&self, path: &str) -> Page {
        let cookie = self.session.borrow().clone();
        let page = self.shop.ask("GET", path, &[("cookie", &cookie)]).await;
        self.keep(page)
    }

    /// What the interface answers under the session, for the partner of a console; it must not refuse.
    async fn api(&self, home: &str, method: &str, path: &str, body: &Value) -> Value {
        let cookie = self.session.borrow().clone();
        let headers = [
            ("content-type", "application/json"),
            ("cookie", cookie.as_str()),
            ("sec-fetch-site", "same-origin"),
            ("x-partner", home.strip_prefix("/console/").unwrap()),
        ];
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let answer = self.shop.send(method, path, &headers, &body).await;
        assert!(answer.status.is_success(), "{method} {path}: {}", answer.text());
        serde_json::from_str(answer.text()).unwrap()
    }

    /// Sends a form of these fields, and what the page has in it besides.
    async fn send(&self, path: &str, fields: &[(&str, &str)]) -> Page {
        self.forms.set(self.forms.get() + 1);
        let form: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let cookie = self.session.borrow().clone();
        let headers = [
            ("content-type", "application/x-www-form-urlencoded"),
            ("sec-fetch-site", "same-origin"),
            ("cookie", cookie.as_str()),
        ];
        let page = self.shop.send("POST", path, &headers, &form.join("&")).await;
        self.keep(page)
    }

    fn keep(&self, page: Page) -> Page {
        let set = page.header(header::SET_COOKIE);
        if set.starts_with("auth_tkt=") {
            set.split(';').next().unwrap().clone_into(&mut self.session.borrow_mut());
        }
        page
    }

    /// The fields of the form of a page as a browser would send them, some of them changed.
    async fn fill(&self, path: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
        filled(self.get(path).await.html(), changes)
    }

    async fn send_filled(&self, path: &str, fields: &[(String, String)]) -> Page {
        let fields: Vec<(&str, &str)> = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        self.send(path, &fields).await
    }
}

/// The fields of the form of a page as a browser would send them, some of them changed.
fn filled(html: &str, changes: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut fields = fields_of(html.split_once("sheet-form\"").unwrap().1.split_once("</form>").unwrap().0);
    for (name, value) in changes {
        fields.retain(|(other, _)| other != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    fields
}

/// The fields of a form as a browser would send them.
fn fields_of(form: &str) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    for tag in form.split("<input ").skip(1) {
        let tag = tag.split_once('>').unwrap().0;
        let is_choice = tag.contains("type=\"radio\"") || tag.contains("type=\"checkbox\"");
        if tag.contains("name=\"") && (!is_choice || tag.contains(" checked")) {
            let value = tag.split_once("value=\"").map_or("", |(_, rest)| rest.split('"').next().unwrap());
            fields.push((after(tag, "name=\"").to_owned(), plain(value)));
        }
    }
    for area in form.split("<textarea ").skip(1) {
        let text = area.split_once('>').unwrap().1.split_once("</textarea>").unwrap().0;
        fields.push((after(area, "name=\"").to_owned(), plain(text)));
    }
    for select in form.split("<select ").skip(1) {
        let (tag, rest) = select.split_once('>').unwrap();
        let options: Vec<&str> = rest.split_once("</select>").unwrap().0.split("<option ").skip(1).collect();
        let is_chosen = |option: &&&str| option.split_once('>').unwrap().0.contains(" selected");
        if let Some(option) = options.iter().find(is_chosen).or(options.first()) {
            fields.push((after(tag, "name=\"").to_owned(), plain(after(option, "value=\""))));
        }
    }
    fields
}

async fn user(shop: &Shop, email: &str) -> User {
    let email: Email = email.parse().unwrap();
    let view = shop.engine.view(&ReadSet { users_by_email: vec![email.clone()], ..ReadSet::default() }).await.unwrap();
    view.user_by_email(&email).unwrap().clone()
}

/// A console with a draft: its browser, and the path of the event.
async fn draft(shop: &Shop) -> (Browser<'_>, String) {
    let (ann, home) = Browser::with_partner(shop, "ann@example.org", "Harbour Hall").await;
    let event = [("title", "Night Concert"), ("desc", "Old"), ("start", "2026-06-01T20:00")];
    let made = ann.send(&format!("{home}/events/new"), &event).await;
    let event = made.leads_to().split('?').next().unwrap().to_owned();
    (ann, event)
}

/// A console with an event on sale: its browser, the path of the event, and the id of its set of ten tickets at 25.00.
async fn sale(shop: &Shop) -> (Browser<'_>, String, String) {
    let (ann, event) = draft(shop).await;
    ann.send(&format!("{event}/new-set"), &[("name", "Stalls"), ("amount", "10"), ("price", "25")]).await.leads_to();
    ann.send(&format!("{event}/publish"), &[]).await.leads_to();
    let (home, id) = event.split_once("/events/").unwrap();
    let page = ann.get(&format!("{home}/sale/{id}")).await;
    let set = after(page.html(), "name=\"random.").to_owned();
    (ann, event.clone(), set)
}

/// Puts so many events on sale, newer than all that there are, `Concert 000` and on: their ids.
async fn concerts(ann: &Browser<'_>, home: &str, count: usize) -> Vec<String> {
    ann.shop.pass_ms(1_000);
    let mut ids = Vec::new();
    for number in 0..count {
        let event = json!({"title": format!("Concert {number:03}"), "lifetime": EVENING, "status": "public"});
        let made = ann.api(home, "POST", "/v1/resources/events", &event).await;
        ids.push(made["id"].as_str().unwrap().to_owned());
    }
    ids
}

/// A sale of which somebody has ordered two tickets in the shop, and pays in this way: the browser of who sells, the path of
/// the order in its console, and the page of the order for whoever ordered.
async fn order_to_pay<'s>(shop: &'s Shop, provider: &str) -> (Browser<'s>, String, String) {
    let (ann, event, set) = sale(shop).await;
    let (home, id) = event.split_once("/events/").unwrap();
    let settings = format!("{home}/shop");
    let account = [("iban", "DE02120300000000202051"), ("holder", "Harbour Hall")];
    let open = ann.fill(&settings, &[&[(provider, "true"), ("open", "true")], account.as_slice()].concat()).await;
    ann.send_filled(&settings, &open).await.leads_to();
    let made = shop.post(&format!("/e/{id}/order"), &format!("random.{set}=2")).await;
    let link = made.leads_to().to_owned();
    let form = format!("settings.customer.email=bob%40example.org&provider={provider}");
    shop.post(&format!("{link}/pay"), &form).await.leads_to();
    let list = ann.get(&format!("{home}/orders?status=in_progress")).await;
    let order = format!("{home}/orders/{}", after(list.html(), &format!("{home}/orders/")));
    (ann, order, link)
}

/// A line of a history, as pages have it: what was done, and by whom.
fn history_line(what: &str, who: &str) -> String {
    format!("<strong>{what}</strong> <span class=\"muted\">{who}</span>")
}
