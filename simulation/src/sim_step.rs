//! What happens in a simulation, as data that a seed makes.

use kassa_store::fault_injection::InjectedFault;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::play::Action;
use crate::play::actions::{action, concurrent_action, housekeeping_action, setup_actions, trading_action};

/// Steps of one season: then the events are left alone, and new ones are made.
const STEPS_PER_SEASON: usize = 300;

/// One step.
#[derive(Clone, Debug)]
pub enum SimStep {
    /// A new event with all that most plays need; the old ones are not acted upon any more.
    Season,
    /// The clock jumps, backwards when negative.
    ClockJump {
        /// By how much, in milliseconds.
        ms: i64,
    },
    /// Acts that are given to a server at the same moment.
    Actions {
        /// Which server.
        node: usize,
        /// What.
        actions: Vec<Action>,
        /// Why nobody hears what came of it. Then the same is asked for once more.
        disruption: Option<Disruption>,
    },
    /// Somebody tries what is not its business.
    Unauthorized {
        /// At which server.
        node: usize,
        /// What.
        act: Action,
        /// Whether it has a key of a partner at all.
        has_key: bool,
    },
}

/// Why an answer is not heard.
#[derive(Clone, Copy, Debug)]
pub enum Disruption {
    /// The connection to the caller is lost after the commit.
    LostReply,
    /// The database fails, after so many batches.
    DatabaseFault(u32, InjectedFault),
    /// The server dies after so many rounds of its lanes, and starts again.
    Crash(u32),
    /// The server is stopped when it has answered, and starts again.
    Restart,
    /// The server stands still while this waits.
    Paused,
    /// The server's number is somebody else's when it comes to this.
    Fenced,
}

impl SimStep {
    /// How many operations it is.
    pub fn ops(&self) -> u64 {
        match self {
            Self::Season => setup_actions().len() as u64,
            Self::ClockJump { .. } | Self::Unauthorized { .. } => 1,
            Self::Actions { actions: acts, disruption: None, .. } => acts.len() as u64,
            // They are asked for twice.
            Self::Actions { actions: acts, disruption: Some(_), .. } => 2 * acts.len() as u64,
        }
    }
}

/// The steps of a seed, of so many operations.
pub fn steps(seed: u64, ops: u64) -> Vec<SimStep> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let any = step();
    let mut steps = Vec::new();
    let mut left = ops;
    while left > 0 {
        let step = if steps.len() % STEPS_PER_SEASON == 0 {
            SimStep::Season
        } else {
            // This strategy refuses nothing for long.
            let Ok(tree) = any.new_tree(&mut runner) else { continue };
            tree.current()
        };
        left = left.saturating_sub(step.ops());
        steps.push(step);
    }
    steps
}

fn step() -> impl Strategy<Value = SimStep> {
    let node = 0..2_usize;
    let single = |disruption: BoxedStrategy<Option<Disruption>>| {
        (node.clone(), single_action(), disruption).prop_map(|(node, act, disruption)| SimStep::Actions {
            node,
            actions: vec![act],
            disruption,
        })
    };
    let concurrent = |disruption: BoxedStrategy<Option<Disruption>>| {
        let acts = prop::collection::vec(concurrent_action(), 2..6);
        (node.clone(), acts, disruption).prop_map(|(node, acts, disruption)| SimStep::Actions {
            node,
            actions: acts,
            disruption,
        })
    };
    let unauthorized = (node.clone(), concurrent_action(), any::<bool>());
    prop_oneof![
        120 => single(Just(None).boxed()),
        24 => concurrent(Just(None).boxed()),
        8 => single(disruption().prop_map(Some).boxed()),
        6 => concurrent(disruption().prop_map(Some).boxed()),
        8 => unauthorized.prop_map(|(node, act, has_key)| SimStep::Unauthorized { node, act, has_key }),
        14 => clock_jump().prop_map(|ms| SimStep::ClockJump { ms }),
    ]
}

fn single_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        12 => trading_action().boxed(),
        12 => action().boxed(),
        1 => housekeeping_action().boxed(),
    ]
}

fn disruption() -> impl Strategy<Value = Disruption> {
    let fault = prop_oneof![
        Just(InjectedFault::Unavailable),
        Just(InjectedFault::BeforeCommit),
        Just(InjectedFault::LostReply),
        Just(InjectedFault::LostReply)
    ];
    prop_oneof![
        3 => Just(Disruption::LostReply),
        4 => (0..3_u32, fault).prop_map(|(after, fault)| Disruption::DatabaseFault(after, fault)),
        4 => (0..3_u32).prop_map(Disruption::Crash),
        1 => Just(Disruption::Restart),
        1 => Just(Disruption::Paused),
        1 => Just(Disruption::Fenced),
    ]
}

/// Mostly about as long as holds last.
fn clock_jump() -> impl Strategy<Value = i64> {
    const MINUTE_MS: i64 = 60_000;
    prop_oneof![
        8 => 0..1_000_i64,
        8 => 1_000..16 * MINUTE_MS,
        1 => 16 * MINUTE_MS..10 * 60 * MINUTE_MS,
        1 => -2 * MINUTE_MS..0,
    ]
}
