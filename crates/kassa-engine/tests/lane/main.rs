//! What a lane guarantees to its callers, as one suite for every driver: a test gets a new, empty database.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod batches;
mod changes;
mod failures;
mod harness;
mod housekeeping;
mod idempotency;
mod limits;
mod nodes;
mod numbers;
mod readers;
mod refunds;
mod restarts;
mod sales;
mod seats;
mod unresponsive_database;

macro_rules! tests {
    ($driver:ident: $($module:ident { $($(#[$attribute:meta])* $test:ident,)* })*) => {
        mod $driver {
            $(mod $module {
                $(
                    // A test may stand still until the lane has done something, which may need a connection.
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    $(#[$attribute])*
                    async fn $test() {
                        crate::$module::$test(crate::harness::Database::$driver().await).await;
                    }
                )*
            })*
        }
    };
}

macro_rules! every_driver {
    ($($driver:ident),*) => {
        $(tests! { $driver:
            batches {
                a_reply_comes_after_its_rows_can_be_read,
                commands_that_wait_share_a_transaction,
                commands_of_one_batch_see_each_other_in_turn,
                a_crowd_of_commands_loses_no_change,
                a_batch_has_a_limit_of_rows,
                heavy_commands_have_batches_of_their_own,
                a_command_abandoned_in_the_queue_is_not_run,
                a_command_abandoned_while_running_is_committed,
            }
            failures {
                a_panic_takes_only_its_own_command_down,
                a_lone_panic_leaves_the_lane_at_work,
                a_panic_in_render_fails_only_its_command,
                a_panic_in_read_set_leaves_the_lane_running,
                a_broken_constraint_takes_only_its_own_command_down,
                a_row_made_over_a_stored_one_takes_only_its_own_command_down,
                a_refused_command_leaves_nothing_while_its_neighbours_commit,
                a_batch_of_refusals_writes_nothing,
            }
            changes {
                what_was_committed_is_told_once_and_in_turn,
                a_page_has_what_is_wanted_and_goes_on_behind_it,
                partners_are_told_of_what_is_theirs_and_agents_of_their_events,
                who_waits_is_told_when_there_is_more,
                what_was_kept_long_enough_goes_from_the_oldest_on,
                a_row_goes_back_through_its_batches_as_far_as_they_are_kept,
                servers_that_sell_side_by_side_tell_each_change_once,
                one_server_at_a_time_gives_places_and_another_takes_over,
                a_command_places_a_bounded_number_of_batches,
            }
            sales {
                a_random_pick_finds_what_a_choice_by_id_in_its_batch_leaves,
                a_promocode_is_used_as_often_as_it_can_be,
                after_a_promotion_starts_orders_take_no_codes_and_are_granted_it,
                a_command_unaware_of_an_orders_promocode_is_stale,
                an_order_to_be_changed_is_as_it_was_last_written,
                an_order_that_another_program_has_changed_is_changed_as_it_is,
            }
            refunds {
                a_payment_that_meets_a_cancellation_is_refused_or_gets_its_request,
                of_many_requests_for_a_ticket_one_is_opened,
            }
            seats {
                a_hall_sells_out_exactly_to_neighbours,
                seats_of_a_refused_order_go_to_the_next,
                seats_that_come_back_in_a_batch_are_given_in_it,
                an_order_grows_next_to_its_own_seats,
                a_dry_run_of_an_order_names_seats,
            }
            limits {
                a_full_queue_answers_busy,
                a_flood_of_one_partner_neither_delays_nor_refuses_another,
                large_changes_of_one_partner_delay_no_order_of_another,
                slow_commands_of_one_partner_delay_no_order_of_another,
                a_closed_engine_answers_busy,
                closing_finishes_what_waits,
            }
            restarts {
                ids_grow_over_a_restart_even_when_the_clock_goes_back,
                ids_grow_while_the_clock_goes_back,
                order_numbers_are_unique_over_restarts,
                order_numbers_go_on_in_the_next_block,
                concurrent_nodes_share_no_order_numbers_and_no_ids,
                another_secret_is_refused,
            }
            nodes {
                two_nodes_creating_promotions_for_one_event_leave_one_running,
                a_suspension_by_one_node_stops_the_writes_of_another_at_once,
                lapsed_invitations_are_purged_by_any_node,
                a_hall_map_that_one_node_shrinks_is_not_sold_by_another,
                a_customer_created_by_two_nodes_at_once_is_one_user,
                a_job_belongs_to_one_node_until_that_node_pauses,
                a_job_of_a_lane_that_lost_its_number_goes_on_under_the_next,
                nodes_that_work_on_one_job_make_no_ticket_twice,
            }
            idempotency {
                a_repeated_request_is_answered_and_not_decided,
                a_response_is_recorded_in_the_transaction_of_its_command,
                a_refusal_is_recorded_before_it_is_sent,
                an_unfinished_response_is_completed_once,
                concurrent_requests_on_two_nodes_are_decided_once,
                requests_of_one_batch_are_decided_once,
                idempotency_records_are_purged_after_a_day,
                recorded_responses_are_encrypted_at_rest,
                a_failed_precondition_changes_nothing,
            }
            numbers {
                engines_that_start_together_share_no_number,
                a_lane_whose_number_was_taken_writes_nothing_and_goes_on_under_another,
                only_acknowledged_commands_of_a_fenced_lane_are_written,
                an_expired_lease_is_renewed_while_nobody_else_claims_the_number,
                a_starting_engine_claims_a_number_whose_lease_has_expired,
                lanes_that_do_not_write_keep_their_numbers,
                a_number_is_given_back_at_the_end,
                a_number_is_given_back_when_the_start_fails,
                when_all_numbers_are_taken_nobody_starts,
                a_lane_without_a_number_answers_unavailable_until_it_gets_one,
                a_lane_that_gets_no_number_can_be_closed,
                a_lane_takes_a_new_block_when_its_order_numbers_are_gone,
                a_database_takes_as_many_lanes_as_it_says,
            }
        })*
    };
}

every_driver!(memory, sqlite, postgres);
