//! Random bits.

use std::sync::Arc;
#[cfg(feature = "test-support")]
use std::sync::atomic::{AtomicU64, Ordering};

use kassa_domain::context::RandomBits;
use rand::Rng;
#[cfg(feature = "test-support")]
use rand::SeedableRng;
use rand::rngs::StdRng;

/// Makes independent sources of random bits.
pub type RandomSource = Arc<dyn Fn() -> Box<dyn RandomBits> + Send + Sync>;

struct Generator(StdRng);

impl RandomBits for Generator {
    fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

/// Cryptographic generators, each seeded by the operating system.
pub fn from_system() -> RandomSource {
    Arc::new(|| Box::new(Generator(rand::make_rng())))
}

/// Generators that repeat themselves from run to run, each another sequence: for tests.
#[cfg(feature = "test-support")]
pub fn from_seed(seed: u64) -> RandomSource {
    let made = AtomicU64::new(0);
    Arc::new(move || {
        let own = seed.wrapping_add(made.fetch_add(1, Ordering::Relaxed) << 32);
        Box::new(Generator(StdRng::seed_from_u64(own)))
    })
}
