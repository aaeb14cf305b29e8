//! What every driver of the storage port does, as one suite that runs on each of them. A test is a
//! function that is given a new, empty database; it is listed below, and a driver is one more word
//! at the end.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod copying;
mod crm;
mod crowd;
mod database;
mod dice;
mod guards;
mod kinds;
mod lists;
mod neighbours;
mod pages;
mod plans;
mod rights;
mod round_trip;
mod samples;
mod selectors;
mod set_locks;
mod tags;
mod uniques;
mod vacant;
mod writers;

/// The kinds of rows, by subject: samples, what a table refuses, and what is found of it.
mod tables {
    pub(crate) mod changes;
    pub(crate) mod deals;
    pub(crate) mod discounts;
    pub(crate) mod events;
    pub(crate) mod invitations;
    pub(crate) mod orders;
    pub(crate) mod partners;
    pub(crate) mod payments;
    pub(crate) mod refunds;
    pub(crate) mod sales;
    pub(crate) mod sets;
    pub(crate) mod system;
    pub(crate) mod users;
    pub(crate) mod venues;
    pub(crate) mod webhooks;
}
use tables::{
    changes, deals, discounts, events, invitations, orders, partners, payments, refunds, sales, sets, system, users,
    venues, webhooks,
};

macro_rules! tests {
    ($driver:ident: $($module:ident { $($(#[$attribute:meta])* $test:ident,)* })*) => {
        mod $driver {
            $(mod $module {
                $(
                    #[tokio::test]
                    $(#[$attribute])*
                    async fn $test() {
                        crate::$module::$test(crate::database::Database::$driver().await).await;
                    }
                )*
            })*
        }
    };
}

macro_rules! conformance {
    ($($driver:ident),*) => {
        $(tests! { $driver:
            round_trip {
                every_kind_of_row_comes_back_as_it_was_written,
                every_kind_of_row_is_replaced_by_its_new_form,
                every_kind_of_row_can_be_deleted,
                what_changes_and_changes_back_in_one_batch_is_as_it_was,
                rows_of_one_batch_change_in_different_columns,
                each_write_moves_the_version_by_one,
                a_batch_without_changes_writes_nothing,
                what_was_taken_back_is_not_written,
                a_row_that_is_made_and_removed_in_one_batch_was_never_there,
                a_row_that_is_removed_and_put_again_is_replaced,
            }
            guards {
                a_stale_update_is_a_conflict_and_leaves_nothing,
                a_stale_removal_is_a_conflict_and_leaves_nothing,
                an_update_of_a_row_that_is_gone_is_a_conflict,
                a_new_row_with_a_key_that_is_taken_is_refused,
                an_error_of_the_decision_leaves_nothing,
                a_writer_goes_on_after_an_error,
            }
            uniques {
                a_second_row_with_a_unique_value_is_refused_and_leaves_nothing,
                two_new_rows_of_one_batch_cannot_share_a_unique_value,
                an_email_changes_hands_when_its_holder_makes_room,
                what_is_unique_in_an_event_may_repeat_in_another,
                chairs_with_another_row_number_sector_or_event_are_others,
                a_chair_is_free_when_its_ticket_goes_in_the_same_batch,
                a_unique_value_is_free_when_its_row_goes_in_the_same_batch,
                a_unique_value_is_free_once_its_row_has_another,
            }
            selectors {
                rows_by_key_are_those_that_are_named,
                a_row_that_is_named_twice_is_there_once,
                a_batch_sees_what_a_view_sees,
            }
            vacant {
                vacant_tickets_come_from_the_cursor_on,
                vacant_tickets_wrap_round_before_the_set_is_sold_out,
                commands_that_want_the_same_set_are_offered_enough_for_both,
                vacant_tickets_need_no_set_in_the_view,
                an_unknown_set_offers_nothing,
            }
            neighbours {
                the_best_rows_with_enough_adjacent_seats_are_offered,
                no_more_tickets_are_loaded_than_are_given,
                commands_are_given_one_after_the_other,
                where_none_has_so_many_the_longest_runs_are_offered,
                a_batch_is_offered_enough_for_all_that_it_may_take,
                what_was_given_another_way_is_not_given_again,
                a_ticket_comes_with_its_row,
                every_row_inventory_of_a_set_is_loaded,
            }
            tags {
                a_key_with_a_foreign_tag_is_unknown,
                an_event_with_a_foreign_tag_has_no_sets,
                a_selector_with_a_foreign_tag_finds_nothing,
                a_list_by_ids_with_foreign_tags_is_empty,
                a_list_of_refund_requests_with_foreign_ids_is_empty,
            }
            pages {
                a_page_is_a_slice_of_the_whole_list,
                the_total_counts_all_that_pass,
                due_orders_come_in_the_order_of_their_holds,
                mails_come_by_turns_and_retries_as_they_are_due,
                tickets_come_by_number_behind_the_last_page,
                seats_come_from_the_front_behind_the_last_page,
                an_event_is_public_until_it_is_over,
                nobody_without_a_role_sees_an_order,
                a_removed_partner_is_seen_by_its_own,
                customers_are_found_by_their_orders_and_sorted,
            }
            partners {
                partners_are_listed_as_the_model_lists_them,
                keys_are_listed_as_the_model_lists_them,
                attachments_are_listed_as_the_model_lists_them,
                attachments_to_discard_are_listed_as_the_model_lists_them,
                what_shows_an_attachment_is_found,
                a_counter_of_what_is_stored_is_never_below_zero,
                a_key_is_found_by_its_hash,
                an_attachment_is_found_by_its_token,
                ties_are_found_from_both_sides,
                an_attachment_without_bytes_is_refused,
            }
            users {
                users_are_listed_as_the_model_lists_them,
                lapsed_sessions_are_listed_as_the_model_lists_them,
                all_sessions_are_found_by_their_user,
                customers_are_listed_as_the_model_lists_them,
                a_user_is_found_by_its_email,
                lapsed_registrations_are_listed_as_the_model_lists_them,
                the_sessions_of_a_user_are_those_that_end_last,
            }
            deals {
                deals_of_many_partners_are_listed_as_the_model_lists_them,
                deals_are_listed_as_the_model_lists_them,
                accepted_deals_are_listed_as_the_model_lists_them,
                an_agent_sells_an_event_by_its_newest_deals_in_force,
                proposals_that_wait_are_found_up_to_their_bound,
                two_partners_that_deal_are_found_by_their_newest_accepted_deal,
                an_organizer_that_ended_deals_with_an_agent_is_found_by_the_newest,
            }
            events {
                events_are_listed_as_the_model_lists_them,
                sellable_events_are_listed_as_the_model_lists_them,
                the_organizer_of_an_event_is_found,
                the_map_of_an_event_is_found,
                the_venue_of_an_event_is_found,
            }
            venues {
                venues_are_listed_as_the_model_lists_them,
                maps_are_listed_as_the_model_lists_them,
                what_may_keep_a_venue_in_use_is_found,
            }
            discounts {
                promocodes_are_listed_as_the_model_lists_them,
                promotions_are_listed_as_the_model_lists_them,
                a_promocode_is_found_by_its_code_whatever_its_case,
                the_promotions_of_an_event_are_those_that_are_not_removed,
                more_uses_of_a_promocode_than_there_are_are_refused,
            }
            orders {
                orders_are_listed_as_the_model_lists_them,
                orders_of_many_partners_are_listed_as_the_model_lists_them,
                the_newest_of_many_unpaid_orders_are_found,
                unpaid_orders_of_visitors_are_found_by_event_and_e_mail_or_network,
                exported_orders_are_listed_as_the_model_lists_them,
                due_orders_are_listed_as_the_model_lists_them,
                paid_orders_are_listed_as_the_model_lists_them,
            }
            payments {
                due_payments_are_listed_as_the_model_lists_them,
                payments_that_are_named_are_listed_as_the_model_lists_them,
                payments_to_give_back_are_listed_as_the_model_lists_them,
                the_payments_of_an_order_are_found,
                no_more_of_a_payment_is_spent_than_has_come,
            }
            refunds {
                refund_requests_are_listed_as_the_model_lists_them,
                refund_requests_of_an_order_are_found_all_or_while_they_are_open,
                a_refund_request_takes_no_money_from_the_customer,
            }
            sets {
                tickets_are_listed_as_the_model_lists_them,
                seats_are_listed_as_the_model_lists_them,
                the_sets_of_an_event_are_all_of_them,
                sets_are_found_by_id,
                an_order_finds_what_it_holds_and_what_it_bought,
                blocked_tickets_are_found_by_their_set,
                tickets_are_found_by_their_chairs,
                books_that_do_not_balance_are_refused,
                no_more_is_taken_away_than_nobody_has,
                a_row_has_seats_and_no_more_of_them_are_vacant,
            }
            system {
                jobs_are_listed_as_the_model_lists_them,
                mails_are_listed_as_the_model_lists_them,
                old_answers_are_listed_as_the_model_lists_them,
                due_mails_are_listed_as_the_model_lists_them,
            }
            changes {
                entries_of_partners_are_listed_as_the_model_lists_them,
                entries_of_agents_are_listed_as_the_model_lists_them,
                a_batch_is_found_by_its_place,
                batches_without_a_place_come_in_the_order_in_which_they_were_written,
                the_oldest_place_is_not_ahead_of_the_feed,
            }
            invitations {
                lapsed_invitations_are_listed_as_the_model_lists_them,
                invitations_are_found_by_who_sent_them_and_who_got_them,
            }
            webhooks {
                webhooks_are_listed_as_the_model_lists_them,
                webhooks_to_send_to_are_listed_as_the_model_lists_them,
                webhooks_to_watch_are_listed_as_the_model_lists_them,
                held_messages_are_listed_as_the_model_lists_them,
                parked_messages_are_listed_as_the_model_lists_them,
                messages_of_a_webhook_are_listed_as_the_model_lists_them,
                old_messages_are_listed_as_the_model_lists_them,
                attempts_are_listed_as_the_model_lists_them,
                old_attempts_are_listed_as_the_model_lists_them,
            }
            sales {
                orders_are_found_as_the_model_finds_them,
                tickets_are_found_by_barcode_as_the_model_finds_them,
                sums_of_sales_are_those_of_the_model,
            }
            rights {
                lists_show_what_a_caller_may_read_by_id,
                lists_of_venues_and_files_show_what_a_caller_may_read_by_id,
            }
            crm {
                only_paid_orders_are_summed_and_all_are_known,
                what_was_given_back_is_not_summed,
                orders_follow_proved_addresses_only,
                partners_see_what_they_sold_or_organized,
                a_stranger_has_bought_nothing,
                sums_are_those_of_the_model,
                sums_of_several_are_those_of_each,
            }
            writers {
                writers_side_by_side_lose_no_change,
                readers_see_all_of_a_batch_or_nothing,
            }
        })*
    };
}

conformance!(memory, sqlite, postgres);
