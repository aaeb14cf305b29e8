//! What a decision is given besides the view: the caller, the time, the configuration, and its
//! supply of ids and random bits.

pub(crate) mod actor;
pub(crate) mod command;
pub(crate) mod followed;
mod inventory;
pub(crate) mod precondition;
pub(crate) mod stating;

use crate::model::node::Node;
use crate::model::order::HoldLimits;
use crate::model::quota::Quotas;
use crate::model::shop::PaymentProvider;
use crate::refusal::Refusal;
use crate::values::id::{Id, ShardTag};
use crate::values::money::Percent;
use crate::values::time::Timestamp;
use actor::Actor;
use stating::Origin;

/// Random bits, handed in.
pub trait RandomBits: Send {
    /// 64 bits that nobody can guess.
    fn next_u64(&mut self) -> u64;
}

/// What the server's configuration says to decisions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionSettings {
    /// The platform's commission, of the discounted price.
    pub commission: Percent,
    /// How much each partner may store.
    pub quotas: Quotas,
    /// Who may register an account.
    pub registration: RegistrationPolicy,
    /// Whether shops may offer payments that are tests: tickets for nothing.
    pub allow_test_payments: bool,
    /// Whether shops may take cards by Stripe: the server has a currency to charge in.
    pub allow_stripe: bool,
    /// How much may be held without being paid.
    pub holds: HoldLimits,
}

/// Who may register an account. The operator may register anybody.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegistrationPolicy {
    /// Everybody.
    #[default]
    Open,
    /// Those whose e-mail a partner or the operator has invited.
    Invite,
    /// Nobody else.
    Closed,
}

impl Default for DecisionSettings {
    fn default() -> Self {
        Self {
            commission: Percent::from_units(30_000),
            quotas: Quotas::default(),
            registration: RegistrationPolicy::default(),
            allow_test_payments: false,
            allow_stripe: false,
            holds: HoldLimits::default(),
        }
    }
}

impl DecisionSettings {
    /// Whether shops may offer a way to pay at all.
    pub fn allows(&self, provider: PaymentProvider) -> bool {
        match provider {
            PaymentProvider::Test => self.allow_test_payments,
            PaymentProvider::Stripe => self.allow_stripe,
            PaymentProvider::Transfer | PaymentProvider::Door => true,
        }
    }
}

/// The surroundings of one decision.
pub struct Context<'a> {
    /// Who asks.
    pub actor: &'a Actor,
    /// From where.
    pub origin: Origin,
    /// When.
    pub now: Timestamp,
    /// The configuration.
    pub settings: &'a DecisionSettings,
    /// Where ids and order numbers come from.
    pub node: &'a mut Node,
    /// Where random bits come from.
    pub random: &'a mut dyn RandomBits,
}

impl Context<'_> {
    /// A new id of a thing that hangs on nothing else.
    pub fn root_id<K>(&mut self) -> Id<K> {
        Id::root(self.node.next_key(self.now))
    }

    /// A new id of a thing on the shard `tag`.
    pub fn id_with_tag<K>(&mut self, tag: ShardTag) -> Id<K> {
        Id::with_tag(tag, self.node.next_key(self.now))
    }

    /// A new order number. A used-up block is leased anew by the next try.
    pub fn order_number(&mut self) -> Result<i64, Refusal> {
        self.node.next_order_number().ok_or(Refusal::Stale)
    }

    /// A number below `limit`, each as likely as any other.
    pub fn random_below(&mut self, limit: u64) -> u64 {
        // Reject the uneven rest of the range, so that no number is favoured.
        let fair = u64::MAX - u64::MAX % limit;
        loop {
            let bits = self.random.next_u64();
            if bits < fair {
                return bits % limit;
            }
        }
    }

    /// `length` characters drawn from `alphabet`.
    pub fn random_text(&mut self, alphabet: &[u8], length: usize) -> String {
        (0..length)
            .map(|_| {
                let at = self.random_below(alphabet.len() as u64);
                char::from(alphabet[usize::try_from(at).unwrap_or(0)])
            })
            .collect()
    }
}
