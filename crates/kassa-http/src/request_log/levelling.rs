//! How those who share something are cut down to the same level.

/// The most that each may have so that all together have no more than `total_max`: whoever has less keeps it whole.
/// `usize::MAX` where nobody has to give anything.
pub(super) fn common_level(mut sizes: Vec<usize>, total_max: usize) -> usize {
    sizes.sort_unstable();
    let mut left = total_max;
    for (at, size) in sizes.iter().enumerate() {
        let share = left / (sizes.len() - at);
        if *size > share {
            return share;
        }
        left -= size;
    }
    usize::MAX
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn those_with_much_give_until_all_fit() {
        assert_eq!(common_level(vec![], 10), usize::MAX);
        assert_eq!(common_level(vec![3, 4, 3], 10), usize::MAX);
        assert_eq!(common_level(vec![90, 2, 3], 25), 20, "those with little keep all of it");
        assert_eq!(common_level(vec![90, 80, 5], 25), 10, "and the others have the same");
        assert_eq!(common_level(vec![7, 7, 7], 10), 3);
        assert_eq!(common_level(vec![1; 100], 10), 0);
    }
}
