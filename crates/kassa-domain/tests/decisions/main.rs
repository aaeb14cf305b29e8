//! What the domain decides, as its callers see it: rows in, a command, rows out.

#![cfg(test)]

mod access;
mod accounts;
mod amounts;
mod attachments;
mod audit;
mod deals;
mod events;
mod expiry;
mod house;
mod invitations;
mod late_money;
mod prices;
mod property;
mod removal;
mod sessions;
mod steps;
mod venues;
mod wanted;
