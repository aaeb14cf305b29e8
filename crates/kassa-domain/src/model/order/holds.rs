//! What whoever buys for itself holds without having paid.

/// Where a visitor of a shop came from: a number that the server makes of the address with its secret, and that tells
/// others nothing. An order has it until it is paid or over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NetworkMark(i64);

impl NetworkMark {
    /// As it is stored, or made.
    pub const fn new(number: i64) -> Self {
        Self(number)
    }

    /// As it is stored.
    pub const fn number(self) -> i64 {
        self.0
    }
}

/// How much may be held at one event, without being paid, by those who buy for themselves. `None` is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HoldLimits {
    /// Orders with one e-mail.
    pub orders_of_email: Option<u32>,
    /// Orders from one network: an IPv4 address, or 64 bits of IPv6.
    pub orders_of_network: Option<u32>,
    /// Tickets in the orders from one network.
    pub tickets_of_network: Option<u32>,
}

impl HoldLimits {
    /// No limits.
    pub const OFF: Self = Self { orders_of_email: None, orders_of_network: None, tickets_of_network: None };
}

impl Default for HoldLimits {
    fn default() -> Self {
        Self { orders_of_email: Some(5), orders_of_network: Some(30), tickets_of_network: Some(120) }
    }
}

/// Which of the limits is reached, and how much it allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HoldBound {
    /// Orders with the customer's e-mail.
    #[error(
        "There are {0} unpaid orders with this e-mail for the event, which is as many as there can be: pay or cancel one first"
    )]
    OrdersOfEmail(u32),
    /// Orders from the visitor's network.
    #[error(
        "There are {0} unpaid orders from your network for the event, which is as many as there can be: pay or cancel one first"
    )]
    OrdersOfNetwork(u32),
    /// Tickets in the orders from the visitor's network.
    #[error("Unpaid orders from your network can hold {0} tickets for the event at most: pay or cancel one first")]
    TicketsOfNetwork(u32),
}
