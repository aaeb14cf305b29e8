//! What somebody may do to a database behind the program's back, and what `kassa verify` must say then.

/// Statements that both databases understand, on a copy of the demo, and a finding: what it is about, and which part
/// of it does not agree.
pub(crate) type Damage = (&'static str, (&'static str, &'static str));

/// A message of the payment of an order that there is not, at a place of the feed.
macro_rules! held_back {
    ($webhook:literal, $place:literal, $state:literal) => {
        concat!(
            "INSERT INTO webhook_deliveries (webhook, place, place_index, message, state, tries, first_tried_at,
                last_tried_at, due_at, version)
            SELECT ",
            $webhook,
            ", ",
            $place,
            ", 0, '{\"position\":{\"place\":",
            $place,
            ",\"index\":0},
                \"subject\":{\"Resource\":{\"Order\":\"5e0be1000000000000000001\"}},\"version\":1,
                \"kind\":\"order.paid\"}', ",
            $state,
            ", 1 FROM webhooks"
        )
    };
}

/// A test that was answered with 200.
macro_rules! attempted {
    ($webhook:literal, $number:literal, $taken:literal) => {
        concat!(
            "INSERT INTO webhook_attempts (webhook, number, message, sent_at, duration_ms, status, answer, error,
                taken, version)
            SELECT ",
            $webhook,
            ", ",
            $number,
            ", NULL, 0, 0, 200, '', NULL, ",
            $taken,
            ", 1 FROM webhooks"
        )
    };
}

/// A payment of the first order, or of the one with another id: with a status, and so much received and used.
macro_rules! payment {
    ($order:literal, $status:literal, $received:literal, $used:literal) => {
        concat!(
            "INSERT INTO payments (id, tag, order_id, event, organizer, vendor, provider, status, amount, received, used,
                returned, reference, due_at, polls, body, created_at, updated_at, revision, version)
            SELECT 1, tag, ",
            $order,
            ", event, organizer, vendor, 'door', '",
            $status,
            "', 9, ",
            $received,
            ", ",
            $used,
            ", 0, 'RF18539007547034', 1, 0, '{}', 1, 1, 1, 1 FROM orders WHERE id = (SELECT min(id) FROM orders)"
        )
    };
}

/// What only a file has: bytes that are compressed, and entries of the feed that wait.
pub(crate) const DAMAGES_OF_FILES: &[Damage] = &[
    ("UPDATE change_batches SET changes = x'ffffffff0f' WHERE place = 2", ("change_batches", "row")),
    ("UPDATE change_batches SET changes = x'ffffffff0f09000000' WHERE place = 2", ("change_batches", "row")),
    ("UPDATE feed_heads SET waiting = x'0100000202'", ("feed", "waiting")),
];

/// One for each thing that is compared.
pub(crate) const DAMAGES: &[Damage] = &[
    // Counters of sets.
    (
        "UPDATE sets SET vacant = vacant + 1, amount = amount + 1 WHERE id = (SELECT min(id) FROM sets)",
        ("set", "counters"),
    ),
    ("UPDATE sets SET sold = sold - 1, vacant = vacant + 1 WHERE sold > 0", ("set", "counters")),
    ("UPDATE sets SET held = held + 1 WHERE id = (SELECT min(id) FROM sets)", ("set", "counters")),
    ("UPDATE sets SET pending_removal = vacant + 1 WHERE id = (SELECT min(id) FROM sets)", ("set", "pending_removal")),
    ("UPDATE sets SET pending = 1, amount = amount + 1 WHERE id = (SELECT min(id) FROM sets)", ("set", "job")),
    ("UPDATE sets SET job = 5 WHERE id = (SELECT min(id) FROM sets)", ("set", "job")),
    ("UPDATE sets SET seat_layout = '{\"1\":[[1,2]]}' WHERE seat_layout IS NOT NULL", ("set", "seats")),
    ("UPDATE sets SET about = replace(about, '\"price\":', '\"price\":1')", ("order", "price")),
    ("DELETE FROM sets WHERE id = (SELECT min(set_id) FROM tickets)", ("ticket", "set")),
    // Row inventories: the seats that are offered.
    (
        "UPDATE seat_row_inventories SET vacant = (SELECT vacant FROM seat_row_inventories ORDER BY vacant LIMIT 1)
            WHERE vacant > (SELECT vacant FROM seat_row_inventories ORDER BY vacant LIMIT 1)",
        ("seat_row_inventory", "vacant"),
    ),
    (
        "UPDATE seat_row_inventories SET longest_vacant_run = longest_vacant_run - 1 WHERE longest_vacant_run > 0",
        ("seat_row_inventories", "longest_vacant_run"),
    ),
    ("UPDATE seat_row_inventories SET seats = seats + 1", ("seat_row_inventory", "seats")),
    (
        "DELETE FROM seat_row_inventories WHERE id = (SELECT min(id) FROM seat_row_inventories)",
        ("ticket", "row_inventory"),
    ),
    // Tickets.
    ("UPDATE tickets SET holder = 1 WHERE id = (SELECT min(id) FROM tickets WHERE state = 2)", ("ticket", "holder")),
    ("UPDATE tickets SET holder = 1 WHERE id = (SELECT min(id) FROM tickets WHERE state = 1)", ("order", "tickets")),
    (
        "UPDATE tickets SET holder = (SELECT max(holder) FROM tickets AS other WHERE other.tag = tickets.tag)
            WHERE state = 2",
        ("ticket", "holder"),
    ),
    ("UPDATE tickets SET held_till = held_till + 1 WHERE state = 1", ("ticket", "holder")),
    (
        "UPDATE tickets SET state = 0, holder = NULL, barcode = NULL, refund = NULL
            WHERE id = (SELECT min(id) FROM tickets WHERE state = 2)",
        ("order", "tickets"),
    ),
    (
        "UPDATE tickets SET state = 3, holder = NULL, barcode = NULL, refund = NULL
            WHERE id = (SELECT min(id) FROM tickets WHERE state = 2)",
        ("set", "counters"),
    ),
    ("DELETE FROM tickets WHERE id = (SELECT min(id) FROM tickets WHERE state = 1)", ("order", "tickets")),
    ("DELETE FROM tickets WHERE id = (SELECT min(id) FROM tickets WHERE state = 0)", ("set", "counters")),
    (
        "DROP INDEX tickets_number; UPDATE tickets SET number = number - 1
            WHERE id = (SELECT max(id) FROM tickets WHERE state = 0)",
        ("ticket", "number"),
    ),
    ("UPDATE events SET next_ticket = 2", ("ticket", "number")),
    (
        "DROP INDEX tickets_seat; UPDATE tickets SET seat_number = seat_number + 1 WHERE seat_number = 1 AND state = 0",
        ("ticket", "seat"),
    ),
    (
        "UPDATE tickets SET row_order = 'zzz' WHERE id = (SELECT max(id) FROM tickets WHERE row_order IS NOT NULL)",
        ("tickets", "row_order"),
    ),
    ("UPDATE tickets SET refund = NULL WHERE refund IS NOT NULL", ("refund_request", "tickets")),
    ("UPDATE tickets SET refund = 1 WHERE state = 2", ("ticket", "refund")),
    // Orders. Prices are lists: price, discount, surcharge, and the parts of the organizer and the platform.
    ("UPDATE orders SET value = value + 1 WHERE id = (SELECT min(id) FROM orders)", ("orders", "value")),
    ("UPDATE orders SET retained = retained + 1 WHERE id = (SELECT min(id) FROM orders)", ("orders", "retained")),
    (
        "UPDATE orders SET ticket_count = ticket_count + 1 WHERE id = (SELECT min(id) FROM orders)",
        ("orders", "ticket_count"),
    ),
    ("UPDATE orders SET body = replace(body, ',7', ',8')", ("order", "split")),
    ("UPDATE orders SET body = replace(body, ',0,', ',1,')", ("order", "discount")),
    ("UPDATE orders SET body = replace(body, ',500,', ',400,')", ("order", "discount")),
    ("UPDATE orders SET body = replace(body, '\"from\":4', '\"from\":5')", ("order", "discount")),
    ("UPDATE orders SET status = 'done' WHERE status = 'executed'", ("orders", "row")),
    ("UPDATE orders SET body = '{' WHERE id = (SELECT min(id) FROM orders)", ("orders", "row")),
    (
        "UPDATE orders SET status = 'canceled', body = replace(body, '\"is\":\"executed\"', '\"is\":\"canceled\"')
            WHERE status = 'executed'",
        ("order", "tickets"),
    ),
    (
        "UPDATE orders SET status = 'executed', body = replace(body, '\"is\":\"in_progress\"', '\"is\":\"done\"')
            WHERE status = 'in_progress'",
        ("orders", "row"),
    ),
    ("UPDATE orders SET reserved_till = reserved_till + 1 WHERE status = 'executed'", ("ticket", "holder")),
    ("DELETE FROM orders WHERE id = (SELECT min(holder) FROM tickets)", ("ticket", "holder")),
    ("DELETE FROM orders WHERE id = (SELECT min(order_id) FROM refund_requests)", ("refund_request", "order")),
    ("UPDATE orders SET vendor = organizer", ("order", "deal")),
    // Promocodes, promotions, deals.
    ("UPDATE promocodes SET used = used + 1", ("promocode", "uses")),
    ("UPDATE promocodes SET reserved = 1", ("promocode", "uses")),
    ("UPDATE promocodes SET used = used - 1 WHERE used > 0", ("promocode", "uses")),
    ("UPDATE promocodes SET body = replace(body, '\"amount\":500', '\"amount\":600')", ("order", "discount")),
    ("DELETE FROM promocodes WHERE used > 0", ("order", "promocodes")),
    (
        "INSERT INTO promotions (id, tag, event, removed, body, created_at, updated_at, revision, version)
            SELECT id + 1, tag, event, 0, body, created_at, updated_at, revision, version
            FROM promotions",
        ("promotion", "overlap"),
    ),
    ("DELETE FROM deals WHERE status = 'accepted'", ("order", "deal")),
    ("UPDATE deals SET terms = replace(terms, '\"percent\":', '\"percent\":1')", ("order", "terms")),
    // Money that is given back.
    ("UPDATE refund_requests SET value = value + 1", ("refund_requests", "value")),
    ("UPDATE refund_requests SET body = replace(body, '\"nominal\":', '\"nominal\":1')", ("refund_request", "back")),
    ("UPDATE refund_requests SET status = 'approved', finished_at = 0 WHERE status = 'new'", ("order", "refunded")),
    ("UPDATE refund_requests SET status = 'rejected' WHERE status = 'approved'", ("order", "refunded")),
    ("DELETE FROM refund_requests WHERE status = 'new'", ("ticket", "refund")),
    ("DELETE FROM refund_requests WHERE status = 'approved'", ("order", "refunded")),
    (
        "UPDATE orders SET body = replace(body, '\"refunded\":{\"paid\":', '\"refunded\":{\"paid\":1')",
        ("order", "refunded"),
    ),
    // Money that came.
    (payment!("id", "failed", 5, 0), ("payment", "status")),
    (payment!("id", "returned", 9, 10), ("payment", "money")),
    (payment!("1", "canceled", 0, 0), ("payment", "order")),
    (payment!("id", "paid", 9, 9), ("order", "payments")),
    ("UPDATE orders SET body = replace(body, 'api/BASE', 'kassa/DOOR') WHERE status = 'done'", ("order", "payments")),
    // What partners store, and what shows an attachment.
    ("UPDATE partners SET used_events = used_events + 1", ("partner", "events")),
    ("UPDATE partners SET used_tickets = used_tickets + 1", ("partner", "tickets")),
    ("UPDATE partners SET used_promocodes = used_promocodes + 1", ("partner", "promocodes")),
    ("UPDATE partners SET used_promotions = used_promotions + 1", ("partner", "promotions")),
    ("UPDATE partners SET used_venues = used_venues + 1", ("partner", "venues")),
    ("UPDATE partners SET used_hall_maps = used_hall_maps + 1", ("partner", "hall_maps")),
    ("UPDATE partners SET used_api_keys = used_api_keys + 1", ("partner", "api_keys")),
    ("UPDATE partners SET used_deals = used_deals + 1", ("partner", "deals")),
    ("UPDATE partners SET used_webhooks = used_webhooks + 1", ("partner", "webhooks")),
    ("UPDATE partners SET used_attachments = used_attachments + 1", ("partner", "attachments")),
    ("UPDATE partners SET used_attachment_bytes = used_attachment_bytes + 1", ("partner", "attachment_bytes")),
    ("UPDATE partners SET used_answer_bytes = used_answer_bytes + 1", ("partner", "answer_bytes")),
    ("UPDATE events SET cover = '0' WHERE cover IS NOT NULL", ("events", "cover")),
    ("UPDATE partners SET logo = '0' WHERE id = (SELECT min(id) FROM partners)", ("partners", "logo")),
    // The log of changes, and the feed.
    ("UPDATE orders SET revision = revision + 1 WHERE id = (SELECT min(id) FROM orders)", ("order", "revision")),
    ("UPDATE sets SET inventory_revision = inventory_revision + 1", ("set", "revision")),
    ("UPDATE orders SET changed_in = NULL WHERE id = (SELECT min(id) FROM orders)", ("batch", "changes")),
    ("UPDATE events SET revision = revision - 1, changed_in = NULL", ("batch", "changes")),
    ("DELETE FROM change_batches", ("order", "changed_in")),
    ("DELETE FROM change_batches WHERE place = 2", ("feed", "place")),
    ("DELETE FROM change_batches WHERE place = 3", ("audience_entry", "place")),
    ("UPDATE feed_heads SET last_place = last_place - 1", ("batch", "place")),
    ("UPDATE feed_heads SET oldest_place = oldest_place + 2", ("batch", "place")),
    ("DELETE FROM audience_entries WHERE place = 5", ("batch", "audience")),
    ("UPDATE audience_entries SET id = 1 WHERE place = 5", ("audience_entry", "place")),
    // Webhooks: how they do, what is held back for them, and attempts.
    ("UPDATE webhooks SET read_place = 1000000", ("webhook", "read_from")),
    ("UPDATE webhooks SET read_place = 0", ("webhook", "read_from")),
    ("UPDATE webhooks SET health = replace(health, '\"failures\":0', '\"failures\":3')", ("webhook", "failures")),
    ("UPDATE webhooks SET watch_at = 5", ("webhooks", "watch_at")),
    ("UPDATE webhooks SET revision = revision + 1", ("webhook", "revision")),
    (held_back!("id + 1", "1000000", "'waiting', 0, NULL, NULL, NULL"), ("webhook_delivery", "webhook")),
    (held_back!("id", "1", "'waiting', 0, NULL, NULL, NULL"), ("webhook_delivery", "position")),
    (held_back!("id", "0", "'waiting', 0, NULL, NULL, NULL"), ("webhook_delivery", "position")),
    (held_back!("id", "1000000", "'waiting', 0, NULL, NULL, NULL"), ("webhook_delivery", "position")),
    (held_back!("id", "1", "'waiting', 2, NULL, NULL, 0"), ("webhook_delivery", "tries")),
    (held_back!("id", "1", "'parked', 10, 0, 0, NULL"), ("webhook_delivery", "due_at")),
    (attempted!("id + 1", "1", "1"), ("webhook_attempt", "webhook")),
    (attempted!("id", "attempts + 1", "1"), ("webhook_attempt", "number")),
    (attempted!("id", "attempts + 1", "0"), ("webhook_attempts", "taken")),
    // Mails, and what is searched in.
    (
        "INSERT INTO mails (id, tag, email, content, lang, state, attempts, due_at, error, created_at, version)
            SELECT id, tag, 'ada@example.org', '{\"kind\":\"confirm_email\",\"user\":\"5e0be1000000000000000001\"}',
            NULL, 'waiting', 0, 0, NULL, 0, 1 FROM promotions",
        ("mail", "content"),
    ),
    ("UPDATE users SET search_text = 'nobody' WHERE id = (SELECT min(id) FROM users)", ("users", "search_text")),
];
