//! What a lane promises to those who give commands, as one suite for every driver: a test is given
//! a new, empty database.
#![expect(clippy::unwrap_used, reason = "a test stops where something is missing")]

mod away;
mod batches;
mod failures;
mod house;
mod limits;
mod nodes;
mod numbers;
mod once;
mod refunds;
mod restarts;
mod sales;
mod seats;

macro_rules! tests {
    ($driver:ident: $($module:ident { $($(#[$attribute:meta])* $test:ident,)* })*) => {
        mod $driver {
            $(mod $module {
                $(
                    // A test may stand still until the lane has done something, which may need a connection.
                    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                    $(#[$attribute])*
                    async fn $test() {
                        crate::$module::$test(crate::house::Database::$driver().await).await;
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
                a_command_that_was_given_up_before_its_turn_is_not_begun,
                a_command_that_is_given_up_after_it_was_begun_stands,
            }
            failures {
                a_panic_takes_only_its_own_command_down,
                a_lone_panic_leaves_the_lane_at_work,
                a_panic_in_rendering_is_one_of_the_command,
                a_panic_in_naming_rows_leaves_the_lane_at_work,
                a_broken_constraint_takes_only_its_own_command_down,
                a_row_made_over_a_stored_one_takes_only_its_own_command_down,
                a_refused_command_leaves_nothing_while_its_neighbours_commit,
                a_batch_of_refusals_writes_nothing,
            }
            sales {
                a_random_pick_finds_what_a_choice_by_id_in_its_batch_leaves,
                a_promocode_is_used_as_often_as_it_can_be,
                from_a_promotion_on_no_order_names_a_code_and_all_are_promised_it,
                an_order_that_has_named_a_promocode_since_is_looked_at_again,
            }
            refunds {
                a_payment_that_meets_a_cancellation_is_refused_or_gets_its_request,
                of_many_requests_for_a_ticket_one_is_opened,
            }
            seats {
                a_hall_sells_out_exactly_to_neighbours,
                what_a_refused_order_would_have_had_goes_to_the_next,
                seats_that_come_back_in_a_batch_are_given_in_it,
                an_order_grows_beside_what_it_holds,
                an_order_is_rehearsed_with_seats,
            }
            limits {
                a_full_queue_answers_busy,
                a_closed_engine_answers_busy,
                closing_finishes_what_waits,
            }
            restarts {
                ids_grow_over_a_restart_even_when_the_clock_goes_back,
                ids_grow_while_the_clock_goes_back,
                order_numbers_are_unique_over_restarts,
                order_numbers_go_on_in_the_next_block,
                nodes_beside_each_other_share_no_numbers_and_no_ids,
                another_secret_is_refused,
            }
            nodes {
                of_promotions_that_two_nodes_make_for_an_event_without_sets_one_runs,
                a_map_that_one_node_cuts_down_is_not_given_to_an_event_by_another,
                a_customer_that_two_nodes_meet_is_one_user,
                a_job_is_worked_on_by_one_node_until_that_stands_still,
                a_job_of_a_lane_that_lost_its_number_goes_on_under_the_next,
                nodes_that_work_on_one_job_make_no_ticket_twice,
            }
            once {
                what_is_asked_again_is_answered_and_not_decided,
                an_answer_is_kept_in_the_transaction_of_what_it_tells_of,
                a_refusal_is_kept_by_itself_before_anybody_sees_it,
                an_answer_that_is_not_final_is_finished_once,
                nodes_that_are_asked_at_the_same_time_decide_once,
                requests_of_one_batch_are_decided_once,
                answers_are_forgotten_after_a_day,
                what_an_answer_says_cannot_be_read_in_the_database,
                what_is_not_as_expected_is_not_changed,
                an_engine_that_is_shut_does_nothing,
            }
            numbers {
                engines_that_start_together_share_no_number,
                a_lane_whose_number_was_taken_writes_nothing_and_goes_on_under_another,
                of_many_that_wait_for_a_lost_lane_those_are_written_that_were_answered,
                a_lease_that_has_ended_costs_nothing_while_nobody_wants_the_number,
                who_starts_takes_over_a_number_whose_lease_has_ended,
                lanes_that_do_not_write_keep_their_numbers,
                a_number_is_given_back_at_the_end,
                a_number_is_given_back_when_the_start_fails,
                when_all_numbers_are_taken_nobody_starts,
                a_lane_that_gets_no_number_answers_until_there_is_one,
                a_lane_that_gets_no_number_can_be_closed,
                order_numbers_that_are_gone_are_not_believed_to_be_there,
                a_database_takes_as_many_lanes_as_it_says,
            }
        })*
    };
}

every_driver!(memory, sqlite, postgres);
