//! What the domain decides, as its callers see it: rows in, a command, rows out.

#![cfg(test)]

mod access;
mod accounts;
mod amounts;
mod attachments;
mod audit;
mod cancellations;
mod changes;
mod deals;
mod discounts;
mod events;
mod expiry;
mod fixture;
mod holds;
mod invitations;
mod late_money;
mod mails;
mod manager_invitations;
mod neighbours;
mod nodes;
mod notes;
mod payment_storm;
mod payments;
mod places;
mod prices;
mod promocodes;
mod promotion_grants;
mod promotion_levels;
mod promotions;
mod promotions_and_promocodes;
mod property;
mod quotas;
mod refund_money;
mod refund_policy;
mod refunds;
mod registrations;
mod removal;
mod seats;
mod second_factors;
mod sessions;
mod steps;
mod suspensions;
mod venues;
mod wanted;
mod webhooks;
