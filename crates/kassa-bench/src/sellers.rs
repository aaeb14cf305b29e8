//! Who sells in a measurement, and what: made through the interface, as anybody would.

use std::net::SocketAddr;
use std::time::Duration;

use kassa_engine::random;
use serde_json::{Value, json};

use crate::api_client::{ApiClient, response_id};
use crate::error::BenchError;
use crate::request::Credential;

/// How often it is looked whether a job has made all tickets.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// Tickets of one set at most.
const SET_TICKETS_MAX: u32 = 1_000_000;
/// An event that is far ahead.
const EVENT_LIFETIME: &str = "BEGIN:VEVENT\r\nDTSTART:20850601T180000Z\r\nDTEND:20850601T220000Z\r\nEND:VEVENT\r\n";
/// A hold that outlasts every measurement, in minutes.
const HOLD_MINUTES: u32 = 24 * 60;

/// An organizer, and an agent that sells for it.
pub(crate) struct Sellers {
    organizer: ApiClient,
    /// The agent's id.
    agent_id: String,
    /// The agent's key.
    pub(crate) agent_key: Credential,
}

/// An event that the agent sells.
#[derive(Clone, Debug)]
pub(crate) struct Sale {
    pub(crate) event: String,
    pub(crate) sets: Vec<String>,
}

/// A partner that sells its own events.
pub(crate) struct Merchandise {
    organizer: ApiClient,
    /// The e-mail of its user, and its id.
    pub(crate) email: String,
    pub(crate) partner: String,
    pub(crate) key: Credential,
}

impl Merchandise {
    /// Registers it at a server.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, BenchError> {
        let Registered { email, partner, key } = register_partner(address, "org").await?;
        let key = Credential::Key(key);
        Ok(Self { organizer: ApiClient::open(address, key.clone()).await?, email, partner, key })
    }

    /// Puts so many tickets of an event on sale, and waits until all of them are there.
    pub(crate) async fn open_sale(&mut self, tickets: u32) -> Result<Sale, BenchError> {
        let event = create_event(&mut self.organizer).await?;
        let set = json!({"name": "Standing", "amount": tickets, "price": "100.00"});
        let set = create_set(&mut self.organizer, &event, &set).await?;
        Ok(Sale { event, sets: vec![set] })
    }
}

impl Sellers {
    /// Registers both at a server.
    pub(crate) async fn open(address: SocketAddr) -> Result<Self, BenchError> {
        let org = register_partner(address, "org").await?;
        let agent = register_partner(address, "agent").await?;
        let org = ApiClient::open(address, Credential::Key(org.key)).await?;
        Ok(Self { organizer: org, agent_id: agent.partner, agent_key: Credential::Key(agent.key) })
    }

    /// Puts so many tickets without seats on sale, and waits until all of them are there.
    pub(crate) async fn open_sale(&mut self, tickets: u32) -> Result<Sale, BenchError> {
        let mut sale = self.create_event().await?;
        let mut left = tickets;
        while left > 0 {
            let amount = left.min(SET_TICKETS_MAX);
            let set = json!({"name": "Standing", "amount": amount, "price": "100.00"});
            sale.sets.push(self.create_set(&sale.event, &set).await?);
            left -= amount;
        }
        Ok(sale)
    }

    /// Puts rows of seats on sale, and waits until all of them are there.
    pub(crate) async fn open_seated_sale(&mut self, rows: u32, seats: u32) -> Result<Sale, BenchError> {
        let mut sale = self.create_event().await?;
        let rows: serde_json::Map<String, Value> =
            (1..=rows).map(|row| (row.to_string(), json!([[1, seats]]))).collect();
        let set = json!({"name": "Stalls", "seats": rows, "price": "100.00"});
        sale.sets.push(self.create_set(&sale.event, &set).await?);
        Ok(sale)
    }

    async fn create_event(&mut self) -> Result<Sale, BenchError> {
        let event = create_event(&mut self.organizer).await?;
        let deal = json!({"event": event, "subj": self.agent_id, "term": {"org": 95, "extra": 10}});
        self.organizer.post("/v1/resources/deals", &deal).await?;
        Ok(Sale { event, sets: Vec::new() })
    }

    async fn create_set(&mut self, event: &str, set: &Value) -> Result<String, BenchError> {
        create_set(&mut self.organizer, event, set).await
    }

    /// The organizer's key.
    pub(crate) fn organizer_key(&self) -> &Credential {
        &self.organizer.credential
    }

    /// Asks as the organizer.
    pub(crate) async fn get(&mut self, path: &str) -> Result<Value, BenchError> {
        self.organizer.get(path).await
    }
}

/// A new event of an organizer: its id.
async fn create_event(organizer: &mut ApiClient) -> Result<String, BenchError> {
    let event = json!({
        "title": {"text": "Bench"}, "status": "public", "hold_minutes": HOLD_MINUTES,
        "lifetime": EVENT_LIFETIME,
    });
    response_id(&organizer.post("/v1/resources/events", &event).await?)
}

/// A new set, whose tickets are all there: its id.
async fn create_set(organizer: &mut ApiClient, event: &str, set: &Value) -> Result<String, BenchError> {
    let sets = format!("/v1/resources/events/{event}/sets");
    let set = response_id(&organizer.post(&sets, set).await?)?;
    let path = format!("{sets}/{set}?fields-schema=amount,amount_vacant");
    loop {
        let now = organizer.get(&path).await?;
        if now["amount"] == now["amount_vacant"] {
            return Ok(set);
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
}

/// A user that has registered, its partner, and the key of that.
struct Registered {
    email: String,
    partner: String,
    key: String,
}

/// A new user with a partner in a role.
async fn register_partner(address: SocketAddr, role: &str) -> Result<Registered, BenchError> {
    let email = format!("{role}-{:016x}@kassa.test", random::from_system()().next_u64());
    let mut user = ApiClient::register(address, &email).await?;
    let partner = json!({"name": format!("Bench {role}"), "roles": [role]});
    let partner = response_id(&user.post("/v1/resources/partners", &partner).await?)?;
    let keys = format!("/v1/resources/partners/{partner}/api_keys");
    let key = user.post(&keys, &json!({"name": "bench"})).await?;
    let key = key["key"].as_str().ok_or("a new key has no key")?.to_owned();
    Ok(Registered { email, partner, key })
}
