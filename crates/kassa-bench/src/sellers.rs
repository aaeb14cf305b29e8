//! Who sells in a measurement, and what: made through the interface, as anybody would.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use kassa_engine::random;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::api_client::{ApiClient, response_id};
use crate::error::BenchError;
use crate::request::Credential;

/// How often it is looked whether a job has made all tickets.
const POLL_INTERVAL: Duration = Duration::from_millis(20);
/// How many events are made at a time: of large changes of one organizer, a server lets only so many wait.
const EVENT_MAKERS: usize = 2;
/// Tickets of one set at most.
const SET_TICKETS_MAX: u32 = 1_000_000;
/// An event that is far ahead.
const EVENT_LIFETIME: &str = "BEGIN:VEVENT\r\nDTSTART:20850601T180000Z\r\nDTEND:20850601T220000Z\r\nEND:VEVENT\r\n";
/// A hold that outlasts every measurement, in minutes.
const HOLD_MINUTES: u32 = 24 * 60;

/// An organizer, and an agent that sells for it.
pub(crate) struct Sellers {
    address: SocketAddr,
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
        Ok(Self { address, organizer: org, agent_id: agent.partner, agent_key: Credential::Key(agent.key) })
    }

    /// Puts so many tickets without seats on sale, and waits until all of them are there.
    pub(crate) async fn open_sale(&mut self, tickets: u32) -> Result<Sale, BenchError> {
        let mut amounts = Vec::new();
        let mut left = tickets;
        while left > 0 {
            let amount = left.min(SET_TICKETS_MAX);
            amounts.push(amount);
            left -= amount;
        }
        create_sale(&mut self.organizer, &self.agent_id, &amounts).await
    }

    /// Puts so many events on sale, each with sets of these amounts of tickets without seats, several at a time.
    pub(crate) async fn open_sales(&self, events: usize, amounts: &[u32]) -> Result<Vec<Sale>, BenchError> {
        let left = Rc::new(Cell::new(events));
        let mut making = JoinSet::new();
        for _ in 0..EVENT_MAKERS.min(events) {
            let mut organizer = ApiClient::open(self.address, self.organizer.credential.clone()).await?;
            let (agent, amounts, left) = (self.agent_id.clone(), amounts.to_vec(), Rc::clone(&left));
            making.spawn_local(async move {
                let mut sales = Vec::new();
                while let Some(others) = left.get().checked_sub(1) {
                    left.set(others);
                    sales.push(create_sale(&mut organizer, &agent, &amounts).await?);
                }
                Ok::<_, BenchError>(sales)
            });
        }
        let mut sales = Vec::with_capacity(events);
        while let Some(made) = making.join_next().await {
            sales.extend(made??);
        }
        Ok(sales)
    }

    /// Puts rows of seats on sale, and waits until all of them are there.
    pub(crate) async fn open_seated_sale(&mut self, rows: u32, seats: u32) -> Result<Sale, BenchError> {
        let mut sale = create_agent_event(&mut self.organizer, &self.agent_id).await?;
        let rows: serde_json::Map<String, Value> =
            (1..=rows).map(|row| (row.to_string(), json!([[1, seats]]))).collect();
        let set = json!({"name": "Stalls", "seats": rows, "price": "100.00"});
        sale.sets.push(create_set(&mut self.organizer, &sale.event, &set).await?);
        Ok(sale)
    }

    /// Opens the organizer's connection anew: a server closes one on which nothing is said for long.
    pub(crate) async fn reconnect(&mut self) -> Result<(), BenchError> {
        self.organizer = ApiClient::open(self.address, self.organizer.credential.clone()).await?;
        Ok(())
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

/// An event with sets of these amounts of tickets without seats, which an agent may sell.
async fn create_sale(organizer: &mut ApiClient, agent: &str, amounts: &[u32]) -> Result<Sale, BenchError> {
    let mut sale = create_agent_event(organizer, agent).await?;
    for amount in amounts {
        let set = json!({"name": "Standing", "amount": amount, "price": "100.00"});
        sale.sets.push(create_set(organizer, &sale.event, &set).await?);
    }
    Ok(sale)
}

/// An event without sets, which an agent may sell.
async fn create_agent_event(organizer: &mut ApiClient, agent: &str) -> Result<Sale, BenchError> {
    let event = create_event(organizer).await?;
    let deal = json!({"event": event, "subj": agent, "term": {"org": 95, "extra": 10}});
    organizer.post("/v1/resources/deals", &deal).await?;
    Ok(Sale { event, sets: Vec::new() })
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
    let mut now = organizer.post(&sets, set).await?;
    let set = response_id(&now)?;
    let path = format!("{sets}/{set}?fields-schema=amount,amount_vacant");
    while now["amount"] != now["amount_vacant"] {
        tokio::time::sleep(POLL_INTERVAL).await;
        now = organizer.get(&path).await?;
    }
    Ok(set)
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
