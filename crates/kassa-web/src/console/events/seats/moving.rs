//! Seats on their way from one set to another.

use std::collections::BTreeMap;

use kassa_http::http::StatusCode;
use serde_json::json;

use super::board::is_unpriced;
use super::rows::Rows;
use crate::console::fault::{Fault, Refusal};
use crate::console::visit::{ApiAnswer, Conditions, Outcome, Visit, checked_id};

/// How often it is tried to give seats back to a set that others change at the same time.
const TRIES: usize = 3;

/// What came of it.
pub(super) type Painted = Result<(), Refusal>;

/// Where sets are read and written.
pub(super) trait Sets: Sync {
    /// A set as it is.
    fn read_set(&self, path: &str) -> impl Future<Output = Result<ApiAnswer, Fault>> + Send;

    /// Makes seats those of a set, if it still has a tag.
    fn write_seats(&self, path: &str, seats: &Rows, tag: &str) -> impl Future<Output = Result<Outcome, Fault>> + Send;
}

impl Sets for Visit<'_> {
    async fn read_set(&self, path: &str) -> Result<ApiAnswer, Fault> {
        self.read(path).await
    }

    async fn write_seats(&self, path: &str, seats: &Rows, tag: &str) -> Result<Outcome, Fault> {
        let conditions = Conditions { key: None, tag: Some(tag) };
        self.send_if("PATCH", path, Some(&json!({"seats": seats.to_layout()})), conditions).await
    }
}

/// Seats that sets give up before another one takes them. They have them again if none does, whatever the reason.
pub(super) struct Move<'s, S> {
    sets: &'s S,
    /// The path of the sets of the event.
    path: String,
    /// The sets that gave up seats, by their paths, and which.
    given_up: Vec<(String, Rows)>,
}

impl<'s, S: Sets> Move<'s, S> {
    pub(super) fn new(sets: &'s S, path: String) -> Self {
        Self { sets, path, given_up: Vec::new() }
    }

    /// Takes seats out of the sets that have them, but for the one that is to have them.
    pub(super) async fn take(&mut self, rows: &BTreeMap<&str, Rows>, target: &str) -> Result<Painted, Fault> {
        for (set, rows) in rows.iter().filter(|(set, _)| **set != target && !is_unpriced(set)) {
            let path = format!("{}/{}", self.path, checked_id(set)?);
            let now = self.sets.read_set(&path).await?;
            let mut seats = Rows::of_layout(&now.value["seats"]);
            // Noted before it is known what comes of it: an answer may be lost.
            self.given_up.push((path.clone(), seats.take_all(rows)));
            if let Err(mut refusal) = self.sets.write_seats(&path, &seats, &now.tag).await? {
                self.given_up.pop();
                if refusal.code == "amount_below_sold" {
                    // What is sold, held or held back stays where it is.
                    "seats_fixed".clone_into(&mut refusal.code);
                }
                return Ok(Err(refusal));
            }
        }
        Ok(Ok(()))
    }

    /// Adds seats to a set.
    pub(super) async fn give(&self, rows: &BTreeMap<&str, Rows>, target: &str) -> Result<Painted, Fault> {
        let path = format!("{}/{}", self.path, checked_id(target)?);
        let now = self.sets.read_set(&path).await?;
        let mut seats = Rows::of_layout(&now.value["seats"]);
        for rows in rows.values() {
            seats.add_all(rows);
        }
        Ok(self.sets.write_seats(&path, &seats, &now.tag).await?.map(drop))
    }

    /// The end of it: what was given up and not taken goes back to where it was.
    pub(super) async fn end(self, outcome: Result<Painted, Fault>) -> Result<Painted, Fault> {
        if matches!(outcome, Ok(Ok(()))) {
            return outcome;
        }
        for (path, rows) in self.given_up.iter().rev() {
            match self.give_back(path, rows).await {
                Ok(Ok(())) => {}
                Ok(Err(refusal)) => {
                    tracing::error!(path, code = refusal.code, "a set could not get back seats that it gave up");
                }
                Err(fault) => tracing::error!(path, ?fault, "a set could not get back seats that it gave up"),
            }
        }
        outcome
    }

    /// Adds to a set what it gave up, beside whatever others have changed since.
    async fn give_back(&self, path: &str, rows: &Rows) -> Result<Painted, Fault> {
        let mut tries = 1;
        loop {
            let now = self.sets.read_set(path).await?;
            let mut seats = Rows::of_layout(&now.value["seats"]);
            seats.add_all(rows);
            match self.sets.write_seats(path, &seats, &now.tag).await? {
                Err(refusal) if refusal.status == StatusCode::PRECONDITION_FAILED && tries < TRIES => tries += 1,
                outcome => return Ok(outcome.map(drop)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use serde_json::Value;

    use super::*;
    use crate::error::PageError;

    /// Sets by their paths with their tags, of an interface that is busy at some requests.
    struct Interface {
        sets: Mutex<BTreeMap<String, (Value, u32)>>,
        /// How many requests there were.
        count: Mutex<u32>,
        busy_at: Vec<u32>,
        /// Before which request somebody else gives the first set another seat.
        changed_at: u32,
    }

    impl Interface {
        fn new(busy_at: &[u32], changed_at: u32) -> Self {
            let sets = ["a", "b", "c"].map(|id| (format!("sets/{id}"), (json!({id: [[1, 8]]}), 0)));
            let (sets, count) = (Mutex::new(BTreeMap::from(sets)), Mutex::default());
            Self { sets, count, busy_at: busy_at.to_vec(), changed_at }
        }

        fn request(&self) -> Result<(), Fault> {
            let mut count = self.count.lock().unwrap();
            *count += 1;
            if *count == self.changed_at {
                let mut all = self.sets.lock().unwrap();
                let (seats, tag) = all.get_mut("sets/a").unwrap();
                seats["z"] = json!([[1, 1]]);
                *tag += 1;
            }
            if self.busy_at.contains(&count) { Err(PageError::Busy { retry_after: 1 }.into()) } else { Ok(()) }
        }

        fn seats(&self, set: &str) -> Value {
            self.sets.lock().unwrap()[&format!("sets/{set}")].0.clone()
        }
    }

    impl Sets for Interface {
        async fn read_set(&self, path: &str) -> Result<ApiAnswer, Fault> {
            self.request()?;
            let (seats, tag) = self.sets.lock().unwrap()[path].clone();
            Ok(ApiAnswer { value: json!({"seats": seats}), tag: tag.to_string(), total: 0 })
        }

        async fn write_seats(&self, path: &str, seats: &Rows, tag: &str) -> Result<Outcome, Fault> {
            self.request()?;
            let mut all = self.sets.lock().unwrap();
            let set = all.get_mut(path).unwrap();
            if set.1.to_string() != tag {
                let mut changed = Refusal::of_page("precondition_failed");
                changed.status = StatusCode::PRECONDITION_FAILED;
                return Ok(Err(changed));
            }
            *set = (seats.to_layout(), set.1 + 1);
            Ok(Ok(ApiAnswer { value: Value::Null, tag: set.1.to_string(), total: 0 }))
        }
    }

    /// Moves seats of two sets to a third one.
    async fn moved(interface: &Interface) -> Result<Painted, Fault> {
        let [first, second] = ["a", "b"].map(|row| Rows::of_layout(&json!({row: [[1, 4]]})));
        let rows = BTreeMap::from([("a", first), ("b", second)]);
        let mut moving = Move::new(interface, "sets".to_owned());
        let taken = moving.take(&rows, "c").await;
        let outcome = match taken {
            Ok(Ok(())) => moving.give(&rows, "c").await,
            refused => refused,
        };
        moving.end(outcome).await
    }

    #[tokio::test]
    async fn seats_go_from_set_to_set() {
        let interface = Interface::new(&[], 0);
        assert!(moved(&interface).await.unwrap().is_ok());
        assert_eq!(["a", "b"].map(|set| interface.seats(set)), [json!({"a": [[5, 8]]}), json!({"b": [[5, 8]]})]);
        assert_eq!(interface.seats("c"), json!({"a": [[1, 4]], "b": [[1, 4]], "c": [[1, 8]]}));
    }

    #[tokio::test]
    async fn seats_go_back_whatever_kept_the_other_set_from_taking_them() {
        // Two sets are read and written, then the third one.
        for busy_at in 1..=6 {
            let interface = Interface::new(&[busy_at], 0);
            let outcome = moved(&interface).await;
            assert!(matches!(outcome, Err(Fault::Page(PageError::Busy { .. }))), "{outcome:?}");
            for set in ["a", "b", "c"] {
                assert_eq!(interface.seats(set), json!({set: [[1, 8]]}), "busy at request {busy_at}");
            }
        }
    }

    #[tokio::test]
    async fn one_set_that_does_not_get_its_seats_back_keeps_none_from_it() {
        // The last one that gave seats is the first one to get them back.
        let interface = Interface::new(&[6, 7], 0);
        assert!(moved(&interface).await.is_err());
        assert_eq!(["a", "b"].map(|set| interface.seats(set)), [json!({"a": [[1, 8]]}), json!({"b": [[5, 8]]})]);
    }

    #[tokio::test]
    async fn what_others_have_changed_meanwhile_stays() {
        for changed_at in 3..=10 {
            let interface = Interface::new(&[6], changed_at);
            assert!(moved(&interface).await.is_err());
            assert_eq!(interface.seats("a"), json!({"a": [[1, 8]], "z": [[1, 1]]}), "changed at request {changed_at}");
        }
    }
}
