//! A stand-in for Stripe: Checkout Sessions and refunds, with idempotency keys, as its documents describe them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Response, StatusCode};
use serde_json::{Value, json};
use tokio::net::TcpListener;

/// Sessions live for half an hour at least, and a day at most.
const OPEN_S: std::ops::RangeInclusive<i64> = 1_800..=86_400;

/// What goes wrong with the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It is answered with this status, and nothing is done.
    Status(u16),
    /// The answer is no JSON.
    Broken,
    /// The answer ends in the middle.
    Cut,
    /// The answer is about somebody else's.
    OtherReference,
    /// The answer is in another currency.
    OtherCurrency,
}

/// A page as it was asked for.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) fields: BTreeMap<String, String>,
    pub(super) key: String,
    pub(super) authorization: String,
}

#[derive(Clone)]
pub(super) struct FakeStripe {
    pub(super) url: String,
    state: Arc<Mutex<Account>>,
}

#[derive(Default)]
struct Account {
    now_s: i64,
    sessions: BTreeMap<String, Value>,
    refunds: Vec<Value>,
    /// What was answered under each key, to which fields.
    keys: BTreeMap<String, (BTreeMap<String, String>, Value)>,
    made: Vec<Made>,
    troubles: VecDeque<Trouble>,
    lost_answers: u32,
    holds_refunds: bool,
}

type Answered = Result<Value, (u16, Value)>;

fn refused(status: u16, code: &str) -> Answered {
    Err((status, json!({"error": {"type": "invalid_request_error", "code": code, "message": "no"}})))
}

impl FakeStripe {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let state = Arc::new(Mutex::new(Account::default()));
        let router = Router::new().fallback(answer).with_state(Arc::clone(&state));
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, state }
    }

    fn account(&self) -> MutexGuard<'_, Account> {
        self.state.lock().unwrap()
    }

    pub(super) fn set_time(&self, now_s: i64) {
        self.account().now_s = now_s;
    }

    pub(super) fn trouble_once(&self, trouble: Trouble) {
        self.account().troubles.push_back(trouble);
    }

    /// Does what it is asked to, but nobody hears so.
    pub(super) fn lose_answers(&self, to_writes: u32) {
        self.account().lost_answers = to_writes;
    }

    /// From now on refunds take their time, or those under way are done.
    pub(super) fn hold_refunds(&self, holds: bool) {
        let mut account = self.account();
        account.holds_refunds = holds;
        if !holds {
            account.refunds.iter_mut().for_each(|refund| refund["status"] = json!("succeeded"));
        }
    }

    pub(super) fn forget_keys(&self) {
        self.account().keys.clear();
    }

    /// The customer pays on a page, named by its id or its URL.
    pub(super) fn pay(&self, page: &str) {
        let id = page.rsplit('/').next().unwrap();
        let mut account = self.account();
        let session = account.sessions.get_mut(id).unwrap();
        assert_eq!(session["status"], "open", "it can be paid there");
        session["status"] = json!("complete");
        session["payment_status"] = json!("paid");
        session["url"] = Value::Null;
        session["payment_intent"] = json!(format!("pi_{id}"));
    }

    /// A page closes, and nobody has paid.
    pub(super) fn close(&self, id: &str) {
        let mut account = self.account();
        let session = account.sessions.get_mut(id).unwrap();
        (session["status"], session["url"]) = (json!("expired"), Value::Null);
    }

    pub(super) fn status_of(&self, id: &str) -> String {
        self.account().sessions[id]["status"].as_str().unwrap().to_owned()
    }

    pub(super) fn made(&self) -> Vec<Made> {
        self.account().made.clone()
    }

    pub(super) fn sessions(&self) -> usize {
        self.account().sessions.len()
    }

    /// How much was sent back each time.
    pub(super) fn refunded(&self) -> Vec<i64> {
        self.account().refunds.iter().map(|refund| refund["amount"].as_i64().unwrap()).collect()
    }
}

async fn answer(State(state): State<Arc<Mutex<Account>>>, request: Request) -> Response<Body> {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1_000_000).await.unwrap();
    let header =
        |name: &str| head.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default();
    let is_write = head.method == "POST";
    let text = if is_write { body.as_ref() } else { head.uri.query().unwrap_or_default().as_bytes() };
    let fields: BTreeMap<String, String> = url::form_urlencoded::parse(text).into_owned().collect();
    let mut account = state.lock().unwrap();
    let trouble = account.troubles.pop_front();
    if let Some(Trouble::Status(status)) = trouble {
        return response(status, json!({"error": {"type": "api_error", "code": "some_code"}}).to_string());
    }
    let path: Vec<&str> = head.uri.path().trim_start_matches('/').split('/').collect();
    let sent = Made { fields, key: header("idempotency-key"), authorization: header("authorization") };
    let answered = if sent.authorization.starts_with("Bearer sk_") {
        account.act(is_write, &path, &sent)
    } else {
        refused(401, "api_key")
    };
    if is_write && account.lost_answers > 0 {
        account.lost_answers -= 1;
        return response(500, String::new());
    }
    match (answered, trouble) {
        (Ok(_), Some(Trouble::Broken)) => response(200, "<html>".to_owned()),
        (Ok(body), Some(Trouble::Cut)) => response(200, body.to_string()[..40].to_owned()),
        (Ok(mut body), Some(Trouble::OtherReference)) => {
            body["client_reference_id"] = json!("000000000000000000000009");
            response(200, body.to_string())
        }
        (Ok(mut body), Some(Trouble::OtherCurrency)) => {
            body["currency"] = json!("usd");
            response(200, body.to_string())
        }
        (Ok(body), _) => response(200, body.to_string()),
        (Err((status, body)), _) => response(status, body.to_string()),
    }
}

fn response(status: u16, body: String) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(status).unwrap();
    response
}

impl Account {
    fn act(&mut self, is_write: bool, path: &[&str], sent: &Made) -> Answered {
        if !is_write {
            return self.read(path, &sent.fields);
        }
        if let Some((fields, answer)) = self.keys.get(&sent.key) {
            // Under one key nothing else can be asked for.
            return if *fields == sent.fields { Ok(answer.clone()) } else { refused(400, "idempotency_key_in_use") };
        }
        let answer = match path {
            ["v1", "checkout", "sessions"] => self.make(sent)?,
            ["v1", "checkout", "sessions", id, "expire"] => self.expire(id)?,
            ["v1", "refunds"] => self.refund(sent)?,
            _ => return refused(404, "no_such_path"),
        };
        assert!(!sent.key.is_empty(), "every write has a key");
        self.keys.insert(sent.key.clone(), (sent.fields.clone(), answer.clone()));
        Ok(answer)
    }

    fn make(&mut self, sent: &Made) -> Answered {
        let said = |field: &str| sent.fields.get(field).map(String::as_str).unwrap_or_default();
        let number = |field: &str| said(field).parse::<i64>().unwrap_or_default();
        let amount = number("line_items[0][price_data][unit_amount]") * number("line_items[0][quantity]");
        let is_known = said("mode") == "payment" && said("success_url").starts_with("http") && amount > 0;
        if !is_known || said("line_items[0][price_data][product_data][name]").is_empty() {
            return refused(400, "parameter_missing");
        }
        if !OPEN_S.contains(&(number("expires_at") - self.now_s)) {
            return refused(400, "expires_at");
        }
        let id = format!("cs_test_{}", self.sessions.len() + 1);
        let session = json!({
            "id": id, "object": "checkout.session", "status": "open", "payment_status": "unpaid", "mode": "payment",
            "client_reference_id": said("client_reference_id"), "amount_total": amount, "payment_intent": null,
            "currency": said("line_items[0][price_data][currency]"), "expires_at": number("expires_at"),
            "url": format!("https://checkout.stripe.example/c/pay/{id}"), "livemode": false,
        });
        self.sessions.insert(id, session.clone());
        self.made.push(sent.clone());
        Ok(session)
    }

    fn expire(&mut self, id: &str) -> Answered {
        let Some(session) = self.sessions.get_mut(id).filter(|session| session["status"] == "open") else {
            return refused(400, "session_not_open");
        };
        (session["status"], session["url"]) = (json!("expired"), Value::Null);
        Ok(session.clone())
    }

    fn refund(&mut self, sent: &Made) -> Answered {
        let intent = sent.fields["payment_intent"].clone();
        let charged = self.sessions.values().find(|session| session["payment_intent"] == json!(intent));
        let Some(charged) = charged else { return refused(404, "resource_missing") };
        let amount: i64 = sent.fields["amount"].parse().unwrap();
        let of_it = self.refunds.iter().filter(|refund| refund["payment_intent"] == json!(intent));
        let before: i64 = of_it.map(|refund| refund["amount"].as_i64().unwrap()).sum();
        if amount <= 0 || before + amount > charged["amount_total"].as_i64().unwrap() {
            return refused(400, "charge_already_refunded");
        }
        let refund = json!({
            "id": format!("re_{}", self.refunds.len() + 1), "object": "refund", "amount": amount,
            "currency": charged["currency"], "payment_intent": intent,
            "status": if self.holds_refunds { "pending" } else { "succeeded" },
            "metadata": {"return": sent.fields["metadata[return]"]},
        });
        self.refunds.push(refund.clone());
        Ok(refund)
    }

    fn read(&self, path: &[&str], query: &BTreeMap<String, String>) -> Answered {
        match path {
            ["v1", "checkout", "sessions", id] => {
                let Some(mut session) = self.sessions.get(*id).cloned() else {
                    return refused(404, "resource_missing");
                };
                if query.get("expand[]").is_some_and(|field| field == "payment_intent")
                    && let Some(intent) = session["payment_intent"].as_str()
                {
                    session["payment_intent"] =
                        json!({"id": intent, "object": "payment_intent", "status": "succeeded"});
                }
                Ok(session)
            }
            ["v1", "refunds"] => {
                let is_meant = |refund: &&Value| refund["payment_intent"] == json!(query["payment_intent"]);
                let data: Vec<&Value> = self.refunds.iter().filter(is_meant).collect();
                Ok(json!({"object": "list", "data": data, "has_more": false}))
            }
            _ => refused(404, "no_such_path"),
        }
    }
}
