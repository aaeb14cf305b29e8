//! Guards that are code, of which the simulation sees that they are missing.

use kassa_domain::guard::{Guard, Without};
use kassa_simulation::{Driver, run_seed};

/// Seeds that may be needed until the accident happens.
const SEEDS: u64 = 40;
const OPS: u64 = 1_000;

/// Plays seeds without a guard until one of them comes to grief; what is said of it begins with one of `accidents`.
fn comes_to_grief_without(guard: Guard, accidents: &[&str]) {
    let trouble = (0..SEEDS).find_map(|seed| {
        let _without = Without::the(guard);
        run_seed(seed, OPS, Driver::Memory).err().map(|failed| failed.trouble.to_string())
    });
    let trouble = trouble.unwrap_or_else(|| panic!("nothing is seen without {guard:?}"));
    assert!(accidents.iter().any(|accident| trouble.starts_with(accident)), "{guard:?}: {trouble}");
}

#[test]
fn the_seeds_pass_with_all_guards() {
    for seed in 0..4 {
        if let Err(failed) = run_seed(seed, OPS, Driver::Memory) {
            panic!("{}", failed.trouble);
        }
    }
}

#[test]
fn without_its_epoch_a_lane_writes_under_a_number_that_is_anothers() {
    comes_to_grief_without(Guard::Epoch, &["what was late is written"]);
}

#[test]
fn without_its_pulse_a_server_writes_what_it_was_asked_before_it_stood_still() {
    comes_to_grief_without(Guard::Standstill, &["what was late is written"]);
}

#[test]
fn a_reply_that_does_not_wait_for_the_commit_tells_of_what_is_not_there() {
    comes_to_grief_without(Guard::ReplyAfterCommit, &["an order is not as its caller was told", "an order is unknown"]);
}

#[test]
fn a_use_that_is_not_held_is_promised_twice() {
    // The constraint under it says no to the second order, which was promised its discount.
    comes_to_grief_without(Guard::HeldUse, &["a failure without a reason"]);
}

#[test]
fn without_its_key_an_order_that_is_asked_for_twice_is_made_twice() {
    comes_to_grief_without(Guard::Once, &["what was asked for twice is done twice"]);
}
