//! Who gets memory, and when it is given back.

use super::*;

const MIB: usize = 1024 * 1024;
const ALICE: MemoryCaller = MemoryCaller::new(0, 1);
const BOB: MemoryCaller = MemoryCaller::new(1, 1);

/// The meter of work of this caller.
fn meter_of(budget: &MemoryBudget, caller: MemoryCaller) -> Arc<MemoryMeter> {
    let meter = MemoryMeter::new(budget, usize::MAX);
    meter.set_caller(caller);
    meter
}

#[test]
fn what_a_command_answers_is_taken_before_it_is_committed_or_refused() {
    let budget = MemoryBudget::new(64 * MIB, || ());
    let render = |meter: &MemoryMeter, bytes| meter.render(|| MemoryMeter::note_rendered(bytes));
    let (first, second, other) = (meter_of(&budget, ALICE), meter_of(&budget, ALICE), meter_of(&budget, BOB));
    render(&first, 10 * MIB).unwrap();
    // It is decided again.
    render(&first, 12 * MIB).unwrap();
    assert_eq!(budget.available(), 52 * MIB + FREE_BYTES);
    assert_eq!(render(&second, 5 * MIB), Err(MemoryExceeded::Spent), "a quarter is 16 MiB");
    render(&second, 4 * MIB).unwrap();
    render(&other, 5 * MIB).unwrap();
    drop((first, second));
    // Alone it is let pass, and the next is not.
    let (longest, next) = (meter_of(&budget, ALICE), meter_of(&budget, ALICE));
    render(&longest, 40 * MIB).unwrap();
    assert_eq!(render(&next, MIB), Err(MemoryExceeded::Spent));
    render(&next, FREE_BYTES).unwrap();
    // Nothing is noted where nothing is rendered.
    MemoryMeter::note_rendered(MIB);
}

#[test]
fn what_many_commands_answer_is_no_more_than_there_is() {
    let budget = MemoryBudget::new(64 * MIB, || ());
    let callers = (0..40).map(|number| MemoryCaller::new(2, number));
    let render = |meter: &Arc<MemoryMeter>| meter.render(|| MemoryMeter::note_rendered(10 * MIB)).is_ok();
    let answers: Vec<_> = callers.map(|caller| meter_of(&budget, caller)).filter(render).collect();
    assert_eq!((answers.len(), budget.available()), (6, 4 * MIB + 6 * FREE_BYTES), "however many ask");
    drop(answers);
    assert_eq!((budget.available(), budget.0.owed_kib.load(Ordering::Relaxed)), (64 * MIB, 0));
}

#[test]
fn of_answers_that_wait_for_their_clients_little_is_free() {
    let budget = MemoryBudget::new(16 * MIB, || ());
    let answer = |caller, may_be_refused| {
        let meter = meter_of(&budget, caller);
        meter.charge(FREE_BYTES).unwrap();
        meter.settle(FREE_BYTES);
        meter.hold(FREE_BYTES, may_be_refused).map(|()| meter)
    };
    let unread: Vec<_> = std::iter::from_fn(|| answer(ALICE, true).ok()).collect();
    assert_eq!(
        (unread.len(), budget.available()),
        (17, 16 * MIB - 17 * (FREE_BYTES - FREE_HELD_BYTES)),
        "that is a quarter"
    );
    answer(BOB, true).unwrap();
    let small = meter_of(&budget, ALICE);
    small.hold(FREE_HELD_BYTES, true).unwrap();
    assert!(!small.is_covered());
    let told = answer(ALICE, false).unwrap();
    assert_eq!(budget.check_share(ALICE), Err(MemoryExceeded::Spent), "it owes what was told all the same");
    drop((unread, small, told));
    assert_eq!((budget.available(), budget.0.owed_kib.load(Ordering::Relaxed)), (16 * MIB, 0));
}

#[test]
fn what_is_beyond_the_free_bytes_is_taken_from_the_budget_and_given_back() {
    let budget = MemoryBudget::new(16 * MIB, || ());
    let one = MemoryMeter::new(&budget, usize::MAX);
    one.charge(FREE_BYTES).unwrap();
    assert_eq!((budget.available(), one.is_covered()), (16 * MIB, false));
    one.charge(1).unwrap();
    assert_eq!((budget.available(), one.is_covered()), (16 * MIB - STEP_BYTES, true));
    one.charge(3 * MIB).unwrap();
    assert_eq!(budget.available(), 13 * MIB - 1024);
    let others: Vec<_> = (0..3).map(|_| one.part()).collect();
    for other in &others {
        other.charge(FREE_BYTES + 4 * MIB).unwrap();
    }
    let last = one.part();
    assert_eq!(last.charge(FREE_BYTES + MIB), Err(MemoryExceeded::Spent));
    last.charge(FREE_BYTES).unwrap();
    one.settle(FREE_BYTES + MIB);
    assert_eq!(budget.available(), 3 * MIB);
    last.charge(3 * MIB).unwrap();
    drop((one, others, last));
    assert_eq!(budget.available(), 16 * MIB);
}

#[tokio::test]
async fn one_piece_of_work_has_a_limit_of_its_own() {
    let meter = MemoryMeter::new(&MemoryBudget::new(4 * MIB, || ()), 1000);
    meter.scope(async { MemoryMeter::current().charge(999) }).await.unwrap();
    assert_eq!(meter.charge(2), Err(MemoryExceeded::TooLarge));
    meter.charge(1).unwrap();
    MemoryMeter::current().charge(usize::MAX).unwrap();
    let meter = MemoryMeter::new(&MemoryBudget::new(4 * MIB, || ()), usize::MAX);
    assert_eq!(meter.charge(FREE_BYTES + MIB + 1), Err(MemoryExceeded::TooLarge), "nobody has such a share");
    meter.charge(FREE_BYTES + MIB).unwrap();
    assert_eq!(meter.hold(FREE_BYTES + MIB, true), Err(MemoryExceeded::TooLarge), "nor keeps so much for its client");
    meter.hold(FREE_HELD_BYTES + MIB, true).unwrap();
    assert_eq!(meter.reserve(MIB + 1).err(), Some(MemoryExceeded::TooLarge));
}

#[test]
fn a_caller_takes_no_more_than_its_share_by_however_many_pieces_of_work() {
    let budget = MemoryBudget::new(16 * MIB, || ());
    let take = |caller| {
        let meters = std::iter::repeat_with(|| meter_of(&budget, caller));
        meters.take_while(|meter| meter.charge(FREE_BYTES + MIB / 2).is_ok()).collect::<Vec<_>>()
    };
    let greedy = take(ALICE);
    assert_eq!(greedy.len(), 8, "that is a quarter");
    assert_eq!(meter_of(&budget, ALICE).part().charge(FREE_BYTES + 1), Err(MemoryExceeded::Spent));
    meter_of(&budget, ALICE).charge(FREE_BYTES).unwrap();
    assert_eq!(take(BOB).len(), 6, "a third of what is free then");
    let crowd: Vec<_> = (0..4).map(|number| take(MemoryCaller::new(2, number))).collect();
    assert!(crowd.iter().all(|taken| !taken.is_empty()) && budget.available() >= 2 * MIB);
    drop((greedy, crowd));
    assert_eq!(budget.available(), 16 * MIB);
    assert!(budget.0.taken.lock().by_caller.is_empty());
}

#[test]
fn what_cannot_be_refused_is_counted_and_its_caller_waits_until_it_is_gone() {
    let budget = MemoryBudget::new(16 * MIB, || ());
    let meters: Vec<_> = (0..5).map(|_| meter_of(&budget, ALICE)).collect();
    for (meter, is_within_share) in meters.iter().zip([true, true, true, true, false]) {
        assert_eq!(meter.charge(FREE_BYTES + MIB).is_ok(), is_within_share);
        budget.check_share(ALICE).unwrap();
    }
    meters[4].settle(FREE_BYTES + MIB);
    assert_eq!(budget.available(), 11 * MIB);
    assert_eq!(budget.check_share(ALICE), Err(MemoryExceeded::Spent));
    budget.check_share(BOB).unwrap();
    meters[0].settle(0);
    budget.check_share(ALICE).unwrap();
    drop(meters);
    assert_eq!((budget.available(), budget.0.owed_kib.load(Ordering::Relaxed)), (16 * MIB, 0));
}
