//! The interface as its callers meet it, in process through the router. Tests of what sells run on
//! every driver; the others on the one that `KASSA_TEST_STORE` names.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod access;
mod answer_cache;
mod answer_memory;
mod api_keys;
mod browsers;
mod client;
mod codes;
mod conditions;
mod confirm;
mod contract;
mod customers;
mod deals;
mod discounts;
mod events;
mod events_stream;
mod fields_schema;
mod geo;
mod harness;
mod input;
mod limits;
mod maps;
mod openapi;
mod order_life;
mod orders;
mod packing;
mod partners;
mod password_resets;
mod prices;
mod promocodes;
mod promoted;
mod promotions;
mod queries;
mod rates;
mod refunds;
mod seats;
mod second_factors;
mod sessions;
mod sets;
mod simple;
mod simple_list;
mod statuses;
mod tickets;
mod tolerance;
mod unchanged;
mod users;
mod v2;
mod venues;
mod whoami;
mod wire;

use conditions::{once as conditions_once, tags as conditions_tags};
use v2::{
    availability as v2_availability, availability_stream as v2_availability_stream, changes as v2_changes,
    documents as v2_documents, export as v2_export, history as v2_history, key_requests as v2_key_requests,
    life as v2_life, list as v2_list, managers as v2_managers, order_links as v2_order_links, orders as v2_orders,
    payments as v2_payments, platform as v2_platform, promocodes as v2_promocodes, quote as v2_quote,
    refunds as v2_refunds, sales as v2_sales, statements as v2_statements, stripe_accounts as v2_stripe_accounts,
    texts as v2_texts, user_data as v2_user_data, webhooks as v2_webhooks, widget_tokens as v2_widget_tokens,
};

macro_rules! tests {
    ($driver:ident: $($module:ident { $($test:ident,)* })*) => {
        mod $driver {
            $(mod $module {
                $(
                    #[tokio::test]
                    async fn $test() {
                        crate::$module::$test(crate::harness::Shop::$driver().await).await;
                    }
                )*
            })*
        }
    };
}

macro_rules! every_driver {
    ($($driver:ident),*) => {
        $(tests! { $driver:
            sets {
                a_new_set_is_for_sale_at_once,
                a_set_needs_a_name_only,
                a_removed_set_answers_itself_and_leaves_the_lists,
                a_set_is_of_its_event,
                a_change_touches_what_it_names,
                up_to_ten_thousand_tickets_are_made_at_once,
                more_tickets_are_made_and_taken_away_step_by_step,
                a_lowering_leaves_what_is_held_sold_or_blocked,
                blocked_is_the_full_list_of_what_is_held_back,
            }
            tickets {
                tickets_show_where_they_are,
                tickets_are_filtered_by_status_and_sector,
                barcodes_are_for_the_organizer_and_the_customer,
                barcodes_differ,
                the_tickets_of_a_set_are_those_of_the_event_in_it,
                a_ticket_is_shown_with_when_it_was_made,
                a_ticket_is_seen_with_its_event_or_its_order,
                the_tickets_of_an_order_have_barcodes_once_it_is_paid,
            }
            v2_availability_stream {
                a_snapshot_and_what_has_changed_are_what_is_left,
            }
            v2_availability {
                what_is_left_is_what_the_tickets_say,
                seats_that_come_and_go_step_by_step_are_free_when_they_are_there,
            }
            seats {
                a_set_has_a_ticket_for_each_of_its_chairs,
                tickets_are_listed_from_the_front_of_each_sector,
                a_long_list_of_seats_is_whole_and_in_order,
                seats_are_the_full_layout,
                seats_that_nobody_named_are_side_by_side,
                what_is_wrong_with_a_layout_is_named,
                a_chair_is_in_one_set,
                a_removed_set_gives_its_chairs_up,
                a_large_hall_is_made_and_moved_step_by_step,
                chairs_are_ordered_by_id_or_from_the_front,
                late_money_takes_its_own_chairs_or_none,
            }
            simple {
                an_event_is_shown_with_all_that_belongs_to_it,
                its_venue_its_partners_and_its_picture_are_objects,
                its_sets_have_prices_as_the_caller_sells,
                terms_are_shown_as_they_split_the_price,
                only_those_who_may_sell_an_event_have_it,
                a_user_sells_for_its_partners,
            }
            simple_list {
                the_list_shows_what_is_on_sale_unless_it_is_asked_for_more,
                the_list_is_filtered,
                the_list_is_sorted,
                the_whole_list_is_streamed,
            }
            conditions_once {
                an_order_is_made_once_under_its_key,
                what_was_removed_is_removed_once_and_told_as_often_as_asked,
                an_answer_stays_what_it_was_when_the_world_moves_on,
                a_refusal_is_an_answer_too,
                refusals_of_version_two_keep_their_texts,
                a_key_is_for_one_request_of_one_caller_about_one_event,
                a_key_is_looked_at_before_the_form_of_its_request,
                a_key_is_one_visible_text,
                a_body_that_is_too_long_is_not_kept,
                without_a_caller_a_key_means_nothing,
                a_users_key_is_its_own_for_each_partner,
                answers_are_kept_for_a_day,
                chosen_fields_are_kept_as_they_were_shown,
                uploads_and_exports_are_made_once,
            }
            conditions_tags {
                a_resource_is_changed_only_as_it_was_seen,
                of_two_that_saw_the_same_order_one_changes_it,
                sales_change_what_is_told_and_not_what_is_expected,
                what_is_not_there_or_not_ones_own_is_told_before_what_is_expected,
                what_is_not_as_expected_leaves_its_key_free,
                chosen_fields_have_a_tag_of_their_own,
                an_event_is_not_edited_by_edits_of_its_sets,
                whoever_saw_a_packed_answer_changes_what_it_saw,
                what_is_not_as_expected_makes_no_record_of_a_customer,
                what_is_not_as_expected_is_told_before_what_is_wrong_with_it,
            }
            customers {
                a_partner_lists_its_customers_and_a_user_itself,
                customers_are_listed_with_what_they_bought,
                customers_are_searched_filtered_and_sorted,
                orders_of_a_customer_are_those_with_the_partner,
                own_orders_follow_proved_addresses,
            }
            orders {
                a_new_order_reserves_tickets,
                details_are_in_answers_to_writes_only,
                an_order_says_what_it_wants,
                the_wish_is_the_full_state,
                what_is_not_to_be_had_is_left_out_and_told,
                a_set_sells_out_exactly,
                all_or_nothing_takes_nothing_and_gives_nothing_back,
                what_does_not_resolve_is_refused,
                an_event_limits_the_tickets_of_an_order,
                only_public_events_sell_until_they_end,
                orders_are_listed_newest_first_and_filtered,
                numbers_are_unique_and_grow,
            }
            order_life {
                an_order_is_paid_and_its_tickets_are_sold,
                holds_last_fifteen_minutes_and_thirty_once_payment_begins,
                a_lapsed_hold_gives_its_tickets_back,
                cancel_and_delete_are_the_same,
                only_the_documented_steps_are_taken,
                what_is_over_does_not_change,
                tickets_are_only_dropped_once_payment_has_begun,
                done_needs_a_ticket_and_an_email_where_tickets_are_mailed,
                an_invitation_costs_nothing_and_is_done_as_soon_as_it_is_committed,
                customer_and_payment_change_key_by_key,
                late_money_takes_the_same_tickets_at_the_old_prices,
                late_money_takes_others_of_the_same_price_for_those_that_are_gone,
                late_money_is_refused_when_tickets_are_gone_or_dearer,
                late_money_is_refused_after_the_end_or_a_cancellation,
                orders_are_for_their_own,
                late_money_takes_no_tickets_of_a_removed_set,
                no_order_is_paid_once_its_event_is_canceled,
            }
            refunds {
                a_request_says_what_is_given_back_and_by_whom,
                what_is_the_organizers_doing_is_given_back_whole,
                what_is_approved_leaves_the_order_and_is_sold_again_under_a_new_barcode,
                an_order_is_refunded_when_its_last_ticket_goes,
                what_cannot_be_asked_for_is_refused_in_known_words,
                customers_ask_until_the_event_starts_unless_its_policy_says_more,
                a_canceled_event_asks_for_all_its_paid_orders,
                requests_are_filtered_and_sorted,
                vendors_ask_and_organizers_decide,
            }
            discounts {
                thirty_percent_on_three_tickets_of_one_hundred,
                a_hundred_off_a_ticket_of_one_thousand,
                an_order_says_which_codes_it_names,
                a_code_that_cannot_be_used_is_refused_and_nothing_changes,
                uses_are_held_used_up_and_given_back,
                codes_are_changed_before_payment_begins,
                late_money_needs_the_use_of_its_code,
                on_each_ticket_acts_the_best_code,
            }
            promoted {
                ten_percent_on_three_tickets_of_one_hundred,
                the_level_follows_the_order,
                by_sum_an_amount_is_taken_off_each_ticket,
                no_promocode_is_named_while_a_promotion_runs,
                an_order_keeps_what_it_was_promised,
                late_money_has_the_promised_price,
            }
            v2_orders {
                an_order_is_shown_in_every_field,
                a_users_order_comes_in_by_another_door,
                a_paid_order_has_a_code_a_time_and_barcodes,
                the_event_follows_from_what_is_wanted,
                an_empty_order_shows_what_every_set_costs,
                what_is_not_to_be_had_stands_beside_the_data,
                codes_that_cannot_be_used_are_left_out_and_told,
                settings_and_vendor_data_change_key_by_key,
                an_invitation_costs_nothing,
                a_hold_can_be_made_shorter_and_no_longer_than_the_event_lets_it,
                late_money_is_told,
                orders_are_for_their_own,
            }
            v2_documents {
                tickets_are_a_page_each,
                the_event_is_an_entry_of_a_calendar,
                only_paid_orders_have_documents,
            }
            v2_export {
                a_list_of_orders_is_mailed,
                a_list_goes_only_to_confirmed_addresses_of_managers,
                what_is_wanted_is_said_in_the_body_or_in_the_query,
            }
            v2_life {
                both_versions_always_agree_about_one_order,
                both_versions_agree_about_the_ends,
                both_versions_agree_about_refunds,
            }
            v2_list {
                orders_are_filtered,
                pages_count_from_one_to_the_last,
            }
            v2_refunds {
                a_request_is_shown_in_every_field,
                a_request_keeps_its_tickets_when_they_have_left_the_order,
                both_versions_agree_about_a_request_and_its_order,
                requests_are_filtered_and_paged,
                what_is_refused_is_told_in_known_words,
                vendors_ask_and_organizers_decide,
            }
            v2_payments {
                a_test_pays_and_tells_how_it_ended,
                a_transfer_is_found_by_its_reference_and_pays_in_parts,
                an_order_that_costs_nothing_is_paid_at_once,
                money_that_comes_late_buys_what_is_left_or_goes_back,
                another_way_to_pay_takes_the_place_of_the_first,
                money_of_returned_tickets_goes_back,
                money_that_is_to_go_back_is_listed_for_its_vendor_until_it_has_gone,
                a_vendor_that_has_the_money_already_waits_for_none,
                what_is_not_offered_is_refused_and_changes_nothing,
            }
            v2_statements {
                a_camt_statement_pays_what_it_names_once,
                a_table_pays_what_it_names_once,
                statements_of_others_pay_nothing_here,
                what_is_no_statement_is_refused,
            }
            v2_sales {
                sums_are_those_of_the_orders,
                sums_are_for_whoever_sold_or_organizes,
                orders_are_found_by_what_is_known_of_them,
                tickets_are_mailed_again,
            }
            v2_stripe_accounts {
                keys_are_kept_and_never_shown_again,
            }
            v2_quote {
                a_quote_is_what_the_order_comes_to_and_reserves_nothing,
                a_quote_is_split_as_the_deal_says,
                a_quote_is_refused_as_the_order_would_be,
            }
            v2_promocodes {
                a_code_says_what_it_does,
                a_code_that_no_order_can_begin_to_use_is_not_found,
            }
            v2_user_data {
                those_who_come_are_kept_with_the_tickets,
                only_the_vendor_says_who_comes_and_only_in_time,
            }
            v2_managers {
                a_manager_is_asked_accepts_changes_and_goes,
            }
            v2_platform {
                an_operator_finds_partners_suspends_one_and_restores_it,
                an_operator_sees_what_waits_and_whether_the_books_agree,
                whoever_is_dismissed_runs_the_platform_no_longer,
            }
            v2_widget_tokens {
                a_token_sells_until_it_is_removed,
            }
            v2_texts {
                refusals_have_the_texts_that_clients_know,
            }
        })*
    };
}

every_driver!(memory, sqlite, postgres);
