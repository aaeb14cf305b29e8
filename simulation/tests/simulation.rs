//! The simulation itself: that it repeats itself, and sees what it is there to see.
use kassa_simulation::{DatabaseDriver, run_seed};

#[test]
fn a_seed_repeats_itself_on_every_driver() {
    for driver in [DatabaseDriver::Memory, DatabaseDriver::Sqlite] {
        let [one, other] = [(); 2].map(|()| run_seed(3, 1_500, driver).unwrap());
        assert_eq!((one.digest, one.tally), (other.digest, other.tally), "{driver:?}");
    }
}

#[test]
fn another_seed_is_another_history() {
    let [one, other] = [1, 2].map(|seed| run_seed(seed, 300, DatabaseDriver::Memory).unwrap());
    assert_ne!(one.digest, other.digest);
}

#[test]
fn most_of_what_can_happen_happens() {
    let passed = run_seed(5, 10_000, DatabaseDriver::Memory).unwrap();
    let count = |kind, label| passed.tally.get(&(kind, label)).copied().unwrap_or(0);
    for kind in [
        "account",
        "change",
        "deal",
        "event",
        "expiry",
        "look",
        "mails",
        "payment",
        "promocode",
        "promotion",
        "refund",
        "sale",
        "set",
    ] {
        assert!(count(kind, "ok") > 0, "{kind}: {:?}", passed.tally);
    }
    for label in ["no answer", "Unavailable", "event_not_on_sale", "promocode_already_used", "replayed"] {
        assert!(count("sale", label) > 0, "{label}: {:?}", passed.tally);
    }
}
