//! An organizer, its event, and a set of tickets on sale.

use serde_json::json;

use crate::client::{Client, items, text};
use crate::server::Server;
use crate::waiting::wait_for;

/// What is on sale, and the key that sells it.
pub(crate) struct Sale {
    pub(crate) key: String,
    pub(crate) event: String,
    pub(crate) set: String,
}

/// A person, the partner that it manages, and a key of that partner.
pub(crate) struct Organizer {
    /// The person, logged in.
    pub(crate) user: Client,
    pub(crate) partner: String,
    pub(crate) key: String,
}

impl Organizer {
    /// Registers all three under an e-mail.
    #[track_caller]
    pub(crate) fn register(server: &Server, email: &str) -> Self {
        let person = json!({"email": email, "password": "secret-word"});
        let anonymous = Client::anonymous(&server.url);
        anonymous.post("/v1/resources/users", &person).success_body();
        let user = Client::with_cookie_of(&server.url, &anonymous.post("/v1/services/whoami", &person));
        let partner = user.post("/v1/resources/partners", &json!({"name": "Big Hall"})).success_id();
        let mut organizer = Self { user, partner, key: String::new() };
        organizer.key = organizer.new_key();
        organizer
    }

    /// One more key of the partner.
    #[track_caller]
    pub(crate) fn new_key(&self) -> String {
        let path = format!("/v1/resources/partners/{}/api_keys", self.partner);
        text(&self.user.post(&path, &json!({"name": "till"})).success_body()["key"])
    }

    /// A caller with the key, and a connection of its own.
    pub(crate) fn client(&self, server: &Server) -> Client {
        Client::with_key(&server.url, &self.key)
    }
}

impl Sale {
    /// Registers an organizer and puts a set of `amount` tickets on sale, all through the interface.
    #[track_caller]
    pub(crate) fn open(server: &Server, amount: u32) -> Self {
        Self::of(&Organizer::register(server, "org@example.org"), server, amount)
    }

    /// One more event of an organizer, with a set of `amount` tickets.
    #[track_caller]
    pub(crate) fn of(organizer: &Organizer, server: &Server, amount: u32) -> Self {
        let client = organizer.client(server);
        let event = client.post("/v1/resources/events", &public_event_body()).success_id();
        let set = json!({"name": "Parterre", "amount": amount, "price": "100.00"});
        let set = client.post(&format!("/v1/resources/events/{event}/sets"), &set).success_id();
        let sale = Self { key: organizer.key.clone(), event, set };
        // The last of many are made by a job.
        let set = sale.set_path();
        wait_for("all tickets are made", || (client.get(&set).success_body()["amount_vacant"] == amount).then_some(()));
        sale
    }

    /// A caller with the organizer's key, and a connection of its own.
    pub(crate) fn client(&self, server: &Server) -> Client {
        Client::with_key(&server.url, &self.key)
    }

    /// The path of the set.
    pub(crate) fn set_path(&self) -> String {
        format!("/v1/resources/events/{}/sets/{}", self.event, self.set)
    }

    /// The path of the tickets that have this status.
    pub(crate) fn tickets_path(&self, status: &str) -> String {
        format!("/v1/resources/events/{}/tickets?status={status}", self.event)
    }

    /// Blocks some tickets: they are the organizer's own hold.
    #[track_caller]
    pub(crate) fn block(&self, server: &Server, count: usize) {
        let client = self.client(server);
        let vacant = client.get(&self.tickets_path("vacant")).success_body();
        let blocked: Vec<String> = items(&vacant)[..count].iter().map(|ticket| text(&ticket["id"])).collect();
        client.patch(&self.set_path(), &json!({ "blocked": blocked })).success_body();
    }
}

/// An event that is public and far from over.
pub(crate) fn public_event_body() -> serde_json::Value {
    let lifetime = "BEGIN:VEVENT\r\nDTSTART;VALUE=DATE-TIME:20870815T212000Z\r\n\
                    DTEND;VALUE=DATE-TIME:20870828T215000Z\r\nEND:VEVENT\r\n";
    json!({"title": {"text": "Concert"}, "status": "public", "lifetime": lifetime})
}
