//! What happens in a simulation, as data that a seed makes.

use kassa_store::faulty::Fault;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::play::Act;
use crate::play::acts::{act, act_in_a_crowd, stage, trade};

/// Steps of one season: then the events are left alone, and new ones are made.
const SEASON: usize = 300;

/// One step.
#[derive(Clone, Debug)]
pub enum Step {
    /// A new event with all that most plays need; the old ones are not acted upon any more.
    Season,
    /// The clock jumps, backwards when negative.
    Jump {
        /// By how much, in milliseconds.
        ms: i64,
    },
    /// Acts that are given to a server at the same moment.
    Acts {
        /// Which server.
        node: usize,
        /// What.
        acts: Vec<Act>,
        /// Why nobody hears what came of it. Then the same is asked for once more.
        mishap: Option<Mishap>,
    },
    /// Somebody tries what is not its business.
    Stranger {
        /// At which server.
        node: usize,
        /// What.
        act: Act,
        /// Whether it has a key of a partner at all.
        has_key: bool,
    },
}

/// Why an answer is not heard.
#[derive(Clone, Copy, Debug)]
pub enum Mishap {
    /// The connection to the caller is lost after the commit.
    Unheard,
    /// The database fails, after so many batches.
    Fault(u32, Fault),
    /// The server dies after so many rounds of its lanes, and starts again.
    Crash(u32),
    /// The server is stopped when it has answered, and starts again.
    Restart,
    /// The server stands still while this waits.
    StandsStill,
    /// The server's number is somebody else's when it comes to this.
    Replaced,
}

impl Step {
    /// How many operations it is.
    pub fn ops(&self) -> u64 {
        match self {
            Self::Season => stage().len() as u64,
            Self::Jump { .. } | Self::Stranger { .. } => 1,
            Self::Acts { acts, mishap: None, .. } => acts.len() as u64,
            // They are asked for twice.
            Self::Acts { acts, mishap: Some(_), .. } => 2 * acts.len() as u64,
        }
    }
}

/// The steps of a seed, of so many operations.
pub fn steps(seed: u64, ops: u64) -> Vec<Step> {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let any = step();
    let mut steps = Vec::new();
    let mut left = ops;
    while left > 0 {
        let step = if steps.len() % SEASON == 0 {
            Step::Season
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

fn step() -> impl Strategy<Value = Step> {
    let node = 0..2_usize;
    let alone =
        |mishap: BoxedStrategy<Option<Mishap>>| {
            (node.clone(), prop_oneof![trade().boxed(), act().boxed()], mishap)
                .prop_map(|(node, act, mishap)| Step::Acts { node, acts: vec![act], mishap })
        };
    let crowd = |mishap: BoxedStrategy<Option<Mishap>>| {
        let acts = prop::collection::vec(act_in_a_crowd(), 2..6);
        (node.clone(), acts, mishap).prop_map(|(node, acts, mishap)| Step::Acts { node, acts, mishap })
    };
    let stranger = (node.clone(), act_in_a_crowd(), any::<bool>());
    prop_oneof![
        120 => alone(Just(None).boxed()),
        24 => crowd(Just(None).boxed()),
        8 => alone(mishap().prop_map(Some).boxed()),
        6 => crowd(mishap().prop_map(Some).boxed()),
        8 => stranger.prop_map(|(node, act, has_key)| Step::Stranger { node, act, has_key }),
        14 => jump().prop_map(|ms| Step::Jump { ms }),
    ]
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let fault = prop_oneof![Just(Fault::Away), Just(Fault::BrokenOff), Just(Fault::Untold), Just(Fault::Untold)];
    prop_oneof![
        3 => Just(Mishap::Unheard),
        4 => (0..3_u32, fault).prop_map(|(after, fault)| Mishap::Fault(after, fault)),
        4 => (0..3_u32).prop_map(Mishap::Crash),
        1 => Just(Mishap::Restart),
        1 => Just(Mishap::StandsStill),
        1 => Just(Mishap::Replaced),
    ]
}

/// Mostly about as long as holds last.
fn jump() -> impl Strategy<Value = i64> {
    const MINUTE_MS: i64 = 60_000;
    prop_oneof![
        8 => 0..1_000_i64,
        8 => 1_000..16 * MINUTE_MS,
        1 => 16 * MINUTE_MS..10 * 60 * MINUTE_MS,
        1 => -2 * MINUTE_MS..0,
    ]
}
