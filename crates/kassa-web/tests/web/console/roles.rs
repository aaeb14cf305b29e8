//! What pages offer to each role: what the interface lets it do, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use kassa_http::http::StatusCode;

use super::team::colleague;
use super::{Browser, after, fields_of, order_to_pay, plain};
use crate::harness::Shop;

/// More pages than a console has here.
const PAGES_MAX: usize = 200;
/// What everybody may do, whatever it is to a partner.
const EVERYBODYS: [&str; 2] = ["/console/sign-out", "_leave"];

/// A form that somebody can send: where to, and one way to send it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct OfferedForm {
    action: String,
    fields: Vec<(String, String)>,
}

/// Where the ways of a page lead within a console: pages, and no files.
fn ways(html: &str, home: &str) -> Vec<String> {
    let links = html.split("href=\"").skip(1).map(|rest| plain(rest.split('"').next().unwrap()));
    let paths = links.map(|link| link.split('#').next().unwrap().to_owned());
    let is_page = |path: &String| {
        let name = path.split('?').next().unwrap().rsplit('/').next().unwrap_or_default();
        // Lists in another order and in another language are the same lists.
        !name.contains('.') && !path.contains("lang=") && !path.contains("sort=")
    };
    paths.filter(|path| path.starts_with(home)).filter(is_page).collect()
}

/// The forms of a page that change something, once for each of their buttons.
fn forms(path: &str, html: &str) -> Vec<OfferedForm> {
    let mut offered = Vec::new();
    for form in html.split("<form ").skip(1).map(|rest| rest.split("</form>").next().unwrap()) {
        let (tag, body) = form.split_once('>').unwrap();
        // A file is sent in another way, and what is disabled in none.
        if !tag.contains("method=\"post\"")
            || tag.contains("multipart")
            || body.contains("<fieldset class=\"whole\" disabled>")
        {
            continue;
        }
        let action = if tag.contains("action=\"") { after(tag, "action=\"") } else { path };
        for button in body.split("<button").skip(1).map(|rest| rest.split('>').next().unwrap()) {
            if button.ends_with(" disabled") {
                continue;
            }
            let mut fields = fields_of(body);
            if button.contains("name=\"") {
                fields.push((after(button, "name=\"").to_owned(), plain(after(button, "value=\""))));
            }
            offered.push(OfferedForm { action: plain(action), fields });
        }
    }
    offered
}

/// Goes to every page that others lead to, and gathers the forms that they offer.
async fn walk(somebody: &Browser<'_>, home: &str, role: &str) -> BTreeSet<OfferedForm> {
    let (mut open, mut seen, mut offered) = (vec![home.to_owned()], BTreeSet::new(), BTreeSet::new());
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        assert!(seen.len() <= PAGES_MAX, "{role}: {seen:?}");
        let page = somebody.get(&path).await;
        if page.status == StatusCode::SEE_OTHER {
            continue;
        }
        assert_eq!(page.status, StatusCode::OK, "{role}: a page leads to {path}");
        offered.extend(forms(&path, page.text()));
        open.extend(ways(page.text(), home));
    }
    offered
}

#[tokio::test]
async fn no_role_is_shown_what_it_may_not_do() {
    let mut numbers = BTreeMap::new();
    for role in ["owner", "manager", "seller", "accountant", "reader"] {
        let shop = Shop::open().await;
        let (ann, order, _) = order_to_pay(&shop, "DOOR").await;
        let home = order.split("/orders/").next().unwrap();
        let somebody = if role == "owner" { ann } else { colleague(&shop, &ann, home, role).await };
        let offered = walk(&somebody, home, role).await;
        let is_everybodys = |form: &&OfferedForm| {
            EVERYBODYS.iter().any(|word| form.action == *word || form.fields.iter().any(|(name, _)| name == word))
        };
        let own: Vec<&OfferedForm> = offered.iter().filter(|form| !is_everybodys(form)).collect();
        for form in &own {
            let page = somebody.send_filled(&form.action, &form.fields).await;
            assert_ne!(page.status, StatusCode::FORBIDDEN, "{role}: {form:?}");
            assert!(!page.text().contains("You may not do that."), "{role}: {form:?}");
        }
        numbers.insert(role, own.len());
    }
    assert_eq!(numbers["reader"], 0, "{numbers:?}");
    for (more, less) in [("owner", "manager"), ("manager", "seller"), ("manager", "accountant"), ("seller", "reader")] {
        assert!(numbers[more] > numbers[less], "{more} and {less}: {numbers:?}");
    }
    assert!(numbers["accountant"] > 0, "{numbers:?}");
}
