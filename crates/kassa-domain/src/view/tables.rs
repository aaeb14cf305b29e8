//! The tables and their selectors: each is named here and nowhere else.

/// Calls a macro with every table of the view and its selectors, in the order in which rows are locked and written
/// everywhere: `table: Row, phase { selectors }`.
///
/// A selector is a field of [`ReadSet`](crate::ReadSet). Its line has what is done with the rows (see
/// [`Access`](crate::view::Access)), its name, how its keys find rows, and what they are if not the keys of the
/// table; then, for rows that are found by columns, the look-ups for each key (see [`Lookup`](crate::view::Lookup)).
///
/// Rows of the phase `named` can be named at once. Those of `row_inventories` come after all others: tickets and the
/// pick of seats lead to them, too.
#[macro_export]
macro_rules! every_selector {
    ($apply:ident) => {
        $crate::every_selector! { @call [$apply] [] }
    };
    (@call [$($apply:tt)+] [$($argument:tt)*]) => {
        $($apply)+! {
            $($argument)*
            nodes: $crate::node::Node, named {
                /// Writers, by node.
                Lock nodes by_key;
            }
            counters: $crate::node::SharedCounter, named {
                /// Shared counters, by name.
                Lock counters by_key;
            }
            feed_heads: $crate::change::FeedHead, named {
                /// How far feeds go, by name. Their lock is what puts places in order.
                Lock feed_heads by_key;
            }
            installation_settings: $crate::node::InstallationSetting, named {
                /// Settings of the installation, by name.
                Read installation_settings by_key;
            }
            idempotency_records: $crate::idempotency::IdempotencyRecord, named {
                /// Answers that are kept, by their keys.
                Lock idempotency_records by_key;
            }
            users: $crate::user::User, named {
                /// Users, by id.
                Lock users by_key;
                /// Users, by e-mail.
                Lock users_by_email by_columns(Email) [Lookup::by(&["email"])];
                /// Users who act: for reading.
                Read acting_users by_key;
            }
            sessions: $crate::session::Session, named {
                /// Sessions, by the hash of their token.
                Lock sessions by_key;
                /// All sessions of a user.
                Lock all_sessions_of by_columns(UserId) [Lookup::by(&["user_id"])];
                /// Sessions of a user: up to [`SESSIONS_SHOWN_MAX`] of those that end last. For reading.
                Read sessions_of by_columns(UserId) [
                    Lookup::by(&["user_id"]).largest("expires_at", SESSIONS_SHOWN_MAX)
                ];
            }
            partners: $crate::partner::Partner, named {
                /// Partners, by id.
                Lock partners by_key;
                /// The organizer of an event, whose usage changes.
                Lock organizers_to_charge by_columns(EventId) [Lookup::named_by_event("organizer")];
                /// The organizer of an event: for reading.
                Read organizers_of by_columns(EventId) [Lookup::named_by_event("organizer")];
                /// Partners, by id: for reading.
                Read partners_to_read by_columns(PartnerId) [Lookup::by(&["id"])];
                /// Partners that show the attachment of a token: up to [`EVENTS_AT_MAX`] for each picture. Whoever
                /// shows an attachment locks it.
                Read partners_showing by_columns(Hex128) [
                    Lookup::by(&["logo"]).at_most(EVENTS_AT_MAX),
                    Lookup::by(&["logo_small"]).at_most(EVENTS_AT_MAX),
                    Lookup::by(&["logo_original"]).at_most(EVENTS_AT_MAX)
                ];
                /// Partners that act: for reading.
                Read acting_partners by_key;
            }
            managers: $crate::partner::PartnerManager, named {
                /// Single memberships of users in partners.
                Lock managers by_key;
                /// All managers of a partner.
                Lock managers_of by_columns(PartnerId) [Lookup::by(&["partner"])];
                /// All partners of a user.
                Lock partners_of by_columns(UserId) [Lookup::by(&["user_id"])];
            }
            invitations: $crate::invitation::Invitation, named {
                /// Invitations, by who invites whom.
                Lock invitations by_key;
                /// All invitations of a partner.
                Lock invitations_of_partner by_columns(PartnerId) [Lookup::by(&["partner"])];
                /// All invitations of a user: for reading, where another lane may make one more than there can be.
                Read invitations_of_user by_columns(UserId) [Lookup::by(&["user_id"])];
                /// All invitations that went to an e-mail: for reading.
                Read invitations_to by_columns(Email) [Lookup::by(&["email"])];
            }
            keys: $crate::api_key::ApiKey, named {
                /// API keys, by id.
                Lock keys by_key;
                /// API keys, by the hash of their token.
                Lock keys_by_hash by_columns([u8; 32]) [Lookup::by(&["hash"])];
            }
            attachments: $crate::attachment::Attachment, named {
                /// Attachments, by id.
                Lock attachments by_key;
                /// Attachments, by the token of their bytes.
                Lock attachments_by_token by_columns(Hex128) [Lookup::by(&["token"])];
            }
            orders: $crate::order::Order, named {
                /// Orders, by id.
                Lock orders by_key;
                /// Orders, by id: for reading.
                Read orders_to_read by_columns(OrderId) [Lookup::by(&["id"])];
                /// Unpaid orders of visitors for an event with an e-mail, the newest: for reading.
                Read unpaid_orders_of_email by_columns((EventId, Email)) [
                    Lookup::by(&["event", "email"])
                        .only(&[Condition::OF_VISITOR, Condition::UNPAID])
                        .largest("id", UNPAID_ORDERS_MAX)
                ];
                /// Unpaid orders of visitors for an event from a network, the newest: for reading.
                Read unpaid_orders_of_network by_columns((EventId, NetworkMark)) [
                    Lookup::by(&["event", "network"])
                        .only(&[Condition::OF_VISITOR, Condition::UNPAID])
                        .largest("id", UNPAID_ORDERS_MAX)
                ];
            }
            refunds: $crate::refund::RefundRequest, named {
                /// Refund requests, by id.
                Lock refunds by_key;
                /// All refund requests of an order.
                Lock refunds_of by_columns(OrderId) [Lookup::by(&["order_id"])];
                /// Refund requests of an order that are still open.
                Lock open_refunds_of by_columns(OrderId) [
                    Lookup::by(&["order_id"]).only(&[Condition::OneOf("status", &["new", "in_progress"])])
                ];
            }
            payments: $crate::payment::OrderPayment, named {
                /// Payments, by id.
                Lock payments by_key;
                /// All payments of an order.
                Lock payments_of by_columns(OrderId) [Lookup::by(&["order_id"])];
            }
            promocodes: $crate::promocode::Promocode, named {
                /// Promocodes, by id.
                Lock promocodes by_key;
                /// Promocodes, by event and code, whatever its case.
                Lock promocodes_by_text by_columns((EventId, PromocodeText)) [Lookup::by(&["event", "folded_code"])];
            }
            sets: $crate::set::TicketSet, named {
                /// All sets of an event; their locks are the event's mutex.
                Lock sets_of by_columns(EventId) [Lookup::by(&["event"])];
                /// Sets, by id: for reading.
                Read sets by_key;
            }
            tickets: $crate::ticket::Ticket, named {
                /// Tickets, by id.
                Lock tickets by_key;
                /// Tickets that an order holds or was sold: each is in a line of it. SQLite's driver finds them so, and others by
                /// what their rows say, in an index of those that somebody holds.
                Lock tickets_held_by held_by(OrderId) [
                    Lookup::by(&["holder"]).only(&[Condition::NotNull("holder")])
                ];
                /// Tickets of a set that the organizer holds back.
                Lock blocked_tickets_of by_columns(SetId) [
                    Lookup::by(&["set_id"]).only(&[Condition::Number("state", TicketState::BLOCKED)])
                ];
                /// Tickets of a set by their seats.
                Lock seats by_seat(SeatSelector);
                /// So many vacant tickets of a set, one entry for each command that wants some: without seats from the
                /// set's cursor on, with seats where its row inventories say. Their lock is the set's.
                Read vacant vacant((SetId, u32));
            }
            seat_row_inventories: $crate::seat_row_inventory::SeatRowInventory, row_inventories {
                /// Row inventories, by id. Those of tickets that are loaded need not be named.
                Lock seat_row_inventories by_key;
                /// All row inventories of a set.
                Lock seat_row_inventories_of by_columns(SetId) [Lookup::by(&["set_id"])];
            }
            venues: $crate::venue::Venue, named {
                /// Venues, by id. An event that is given a venue names it, too: a venue's lock is what its
                /// removal and its uses meet at.
                Lock venues by_key;
                /// The venue of an event that may begin to occupy it.
                Lock venues_to_occupy by_columns(EventId) [Lookup::named_by_event("venue")];
                /// The venue of an event: for reading.
                Read venues_of by_columns(EventId) [Lookup::named_by_event("venue")];
            }
            hall_maps: $crate::hall_map::HallMap, named {
                /// Hall maps, by id. An event that is given a map names it: a map's lock is what its changes and its
                /// uses meet at.
                Lock hall_maps by_key;
                /// The hall map of an event that may begin to occupy its venue.
                Lock hall_maps_to_occupy by_columns(EventId) [Lookup::named_by_event("map")];
                /// The hall map by which an event sells: for reading.
                Read hall_map_of by_columns(EventId) [Lookup::named_by_event("map")];
            }
            events: $crate::event::Event, named {
                /// Events, by id; read after the sets were locked.
                Read events by_key;
                /// Events that may occupy a venue, public ones and withdrawn ones: of both up to [`EVENTS_AT_MAX`]
                /// without an end, and as many of those that end last. No number of drafts hides one.
                Read events_at by_columns(VenueId) [
                    Lookup::by(&["venue"])
                        .only(&[Condition::NOT_REMOVED, Condition::PUBLIC, Condition::Null("ends_at")])
                        .at_most(EVENTS_AT_MAX),
                    Lookup::by(&["venue"])
                        .only(&[Condition::NOT_REMOVED, Condition::PUBLIC, Condition::NotNull("ends_at")])
                        .largest("ends_at", EVENTS_AT_MAX),
                    Lookup::by(&["venue"])
                        .only(&[Condition::NOT_REMOVED, Condition::WITHDRAWN, Condition::Null("ends_at")])
                        .at_most(EVENTS_AT_MAX),
                    Lookup::by(&["venue"])
                        .only(&[Condition::NOT_REMOVED, Condition::WITHDRAWN, Condition::NotNull("ends_at")])
                        .largest("ends_at", EVENTS_AT_MAX)
                ];
                /// Events that show the attachment of a token: up to [`EVENTS_AT_MAX`] for each picture. Whoever shows
                /// an attachment locks it.
                Read events_showing by_columns(Hex128) [
                    Lookup::by(&["cover"]).at_most(EVENTS_AT_MAX),
                    Lookup::by(&["cover_small"]).at_most(EVENTS_AT_MAX),
                    Lookup::by(&["cover_original"]).at_most(EVENTS_AT_MAX)
                ];
            }
            deals: $crate::deal::Deal, named {
                /// Deals, by id; read after the sets were locked.
                Read deals by_key;
                /// The newest accepted deal of an event with an agent, and the one before it, which is in force when the
                /// newest is ended in the same batch. What agents propose, orders do not read.
                Read deals_of by_columns((EventId, PartnerId)) [
                    Lookup::by(&["event", "agent"]).only(&[Condition::ACCEPTED]).largest("id", 2)
                ];
                /// Proposals of an agent for an event that wait for an answer: as many of the newest as may wait.
                Read proposals_of by_columns((EventId, PartnerId)) [
                    Lookup::by(&["event", "agent"]).only(&[Condition::PROPOSED]).largest("id", PROPOSALS_MAX)
                ];
                /// The newest accepted deal of an agent with an organizer.
                Read deals_between by_columns((PartnerId, PartnerId)) [
                    Lookup::by(&["agent", "organizer"])
                        .across_events().only(&[Condition::ACCEPTED]).largest("id", 1)
                ];
                /// The newest deal of an agent with an organizer that the organizer has ended.
                Read deals_ended_by_organizer by_columns((PartnerId, PartnerId)) [
                    Lookup::by(&["agent", "organizer"])
                        .across_events().only(&[Condition::ENDED_BY_ORGANIZER]).largest("id", 1)
                ];
            }
            promotions: $crate::promotion::Promotion, named {
                /// Promotions, by id; read after the sets were locked.
                Read promotions by_key;
                /// All promotions of an event that are not removed; read after the sets were locked.
                Read promotions_of by_columns(EventId) [Lookup::by(&["event"]).only(&[Condition::NOT_REMOVED])];
            }
            indexed_orders: $crate::sales::IndexedOrder, named {
                /// What orders are found by, by order.
                Lock indexed_orders by_key;
            }
            daily_sales: $crate::sales::DailySales, named {
                /// Sums over orders, by event, vendor, set and day.
                Lock daily_sales by_key;
            }
            jobs: $crate::job::Job, named {
                /// Jobs, by id.
                Lock jobs by_key;
            }
            mails: $crate::mail::Mail, named {
                /// Mails, by id.
                Lock mails by_key;
            }
            webhooks: $crate::webhook::Webhook, named {
                /// Endpoints of webhooks, by id.
                Lock webhooks by_key;
            }
            webhook_deliveries: $crate::webhook::WebhookDelivery, named {
                /// Messages that are held back, by endpoint and position. Their lock is the endpoint's.
                Read webhook_deliveries by_key;
            }
            webhook_attempts: $crate::webhook::WebhookAttempt, named {
                /// Attempts, by endpoint and number. Their lock is the endpoint's.
                Read webhook_attempts by_key;
            }
            change_batches: $crate::change::ChangeBatch, named {
                /// What batches have stated, by the batch.
                Lock change_batches by_key;
                /// What batches have stated, by the batch: for reading.
                Read change_batches_to_read by_key;
                /// The batches at places of the feed: for reading.
                Read change_batches_at by_columns(i64) [Lookup::by(&["place"])];
            }
            audience_entries: $crate::change::AudienceEntry, named {
                /// Entries of the indexes of the feed, by whose they are and by place.
                Lock audience_entries by_key;
            }
        }
    };
}

/// Calls a macro with every table of [`every_selector!`] as `table: Row`, in the same order.
#[macro_export]
macro_rules! every_table {
    ($apply:ident) => {
        $crate::every_selector! { @call [$crate::without_selectors] [$apply] }
    };
}

/// Leaves the selectors out.
#[doc(hidden)]
#[macro_export]
macro_rules! without_selectors {
    ($apply:ident $($table:ident: $row:ty, $phase:ident { $($selectors:tt)* })*) => {
        $apply! { $($table: $row,)* }
    };
}
