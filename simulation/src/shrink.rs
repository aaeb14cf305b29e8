//! Makes steps that fail few.

use crate::database::DatabaseDriver;
use crate::run::{FailedRun, run_steps};
use crate::sim_step::SimStep;

/// Leaves out what the failure does not need: first many steps at once, then fewer, then concurrent actions and disruptions.
/// Stops after `tries` plays at most.
pub fn shrink(seed: u64, failed: FailedRun, driver: DatabaseDriver, mut tries: u32) -> FailedRun {
    let mut shortest = failed;
    let mut fails = |steps: &[SimStep], shortest: &mut FailedRun| {
        if tries == 0 {
            return false;
        }
        tries -= 1;
        let result = run_steps(seed, steps, driver);
        result.map_err(|failed| *shortest = failed).is_err()
    };
    let mut length = shortest.steps.len().next_power_of_two();
    while length > 0 {
        let mut end = shortest.steps.len();
        // From the end on: what comes early is what later steps stand on.
        while end > 0 {
            let start = end.saturating_sub(length);
            let steps = [&shortest.steps[..start], &shortest.steps[end..]].concat();
            fails(&steps, &mut shortest);
            end = start.min(shortest.steps.len());
        }
        length /= 2;
    }
    for at in (0..shortest.steps.len()).rev() {
        for simpler in shortest.steps.get(at).map(simplifications).unwrap_or_default() {
            let mut steps = shortest.steps.clone();
            steps[at] = simpler;
            if fails(&steps, &mut shortest) {
                break;
            }
        }
    }
    shortest
}

/// Forms of a step with less in it.
fn simplifications(step: &SimStep) -> Vec<SimStep> {
    let SimStep::Actions { node, actions: acts, disruption } = step else { return Vec::new() };
    let mut simpler = Vec::new();
    if disruption.is_some() {
        simpler.push(SimStep::Actions { node: *node, actions: acts.clone(), disruption: None });
    }
    if acts.len() > 1 {
        let alone = acts.iter().map(|act| SimStep::Actions {
            node: *node,
            actions: vec![act.clone()],
            disruption: *disruption,
        });
        simpler.extend(alone);
    }
    simpler
}
