//! Guards that are code, of which the simulation sees that they are missing.

use kassa_domain::payment::PaymentProvider;
use kassa_domain::safeguard::{DisabledSafeguard, Safeguard};
use kassa_simulation::play::actions::{Action, PaymentAction, TicketChoice};
use kassa_simulation::{DatabaseDriver, SimStep, run_seed, run_steps};

/// Seeds that may be needed until the accident happens.
const SEEDS: u64 = 40;
const OPS: u64 = 1_000;

/// Plays seeds without a guard until one of them comes to grief; what is said of it begins with one of `accidents`.
fn violates_without(guard: Safeguard, accidents: &[&str]) {
    let violation = (0..SEEDS).find_map(|seed| {
        let _without = DisabledSafeguard::new(guard);
        run_seed(seed, OPS, DatabaseDriver::Memory).err().map(|failed| failed.violation.to_string())
    });
    let violation = violation.unwrap_or_else(|| panic!("nothing is seen without {guard:?}"));
    assert!(accidents.iter().any(|accident| violation.starts_with(accident)), "{guard:?}: {violation}");
}

#[test]
fn the_seeds_pass_with_all_guards() {
    for seed in 0..4 {
        if let Err(failed) = run_seed(seed, OPS, DatabaseDriver::Memory) {
            panic!("{}", failed.violation);
        }
    }
}

#[test]
fn without_the_epoch_check_a_fenced_lane_writes() {
    violates_without(Safeguard::EpochCheck, &["a late command was written"]);
}

#[test]
fn without_pause_detection_a_server_writes_stale_commands() {
    violates_without(Safeguard::PauseCheck, &["a late command was written"]);
}

#[test]
fn replies_before_the_commit_acknowledge_lost_writes() {
    violates_without(
        Safeguard::ReplyAfterCommit,
        &[
            "an order differs from its acknowledgement",
            "an order is in an unexpected state",
            "an order is unknown",
            "a payment differs from the money that came",
        ],
    );
}

#[test]
fn without_held_uses_a_promocode_use_is_granted_twice() {
    // The constraint under it says no to the second order, which was promised its discount.
    violates_without(Safeguard::ReservedPromocodeUse, &["a failure without a reason"]);
}

#[test]
fn without_its_claim_a_sequencer_tells_a_batch_twice() {
    violates_without(
        Safeguard::SequencerClaim,
        &["a batch was told twice", "the feed has lost its place", "the audit has findings"],
    );
}

/// Seeds bring the same entry of a statement twice too seldom, so this is played on purpose.
#[test]
fn an_entry_that_is_noted_twice_makes_money_of_nothing() {
    let choice = TicketChoice::Random(vec![(0, 2)]);
    let sale = Action::Sale { event: 0, agent: None, choice, codes: None, email: Some(2) };
    let received = || Action::Payment(PaymentAction::Pay { payment: 0, percent: 40, entry: Some(0) });
    let acts = [
        sale,
        Action::Payment(PaymentAction::Begin { order: 0, provider: PaymentProvider::Door }),
        received(),
        received(),
    ];
    let alone = |act| SimStep::Actions { node: 0, actions: vec![act], disruption: None };
    let steps: Vec<SimStep> = [SimStep::Season].into_iter().chain(acts.map(alone)).collect();
    let play = || run_steps(0, &steps, DatabaseDriver::Memory).map_err(|failed| failed.violation.to_string());
    play().unwrap();
    let _without = DisabledSafeguard::new(Safeguard::StatementEntryOnce);
    let violation = play().expect_err("the entry counts once");
    assert!(violation.starts_with("a payment differs from the money that came"), "{violation}");
}

#[test]
fn without_its_return_a_surplus_is_neither_a_ticket_nor_on_its_way_back() {
    violates_without(Safeguard::SurplusReturn, &["money has neither a ticket nor a way back"]);
}

#[test]
fn without_the_look_at_marks_what_was_kept_is_stale() {
    violates_without(Safeguard::CurrentAnswers, &["a read that was kept is stale"]);
}

#[test]
fn without_the_look_at_other_servers_what_was_kept_is_stale() {
    violates_without(Safeguard::ForeignBatches, &["a read that was kept is stale"]);
}

#[test]
fn without_idempotency_a_repeated_request_creates_two_orders() {
    violates_without(Safeguard::IdempotencyCheck, &["a request with one key was decided twice"]);
}
