//! The items of a long list, one by one, as the pieces of its JSON come in.

use std::ops::ControlFlow;

use serde_json::Value;

/// What came in of a list of objects, and was not taken yet.
#[derive(Debug, Default)]
pub(crate) struct ListItems {
    /// The item that has begun.
    item: Vec<u8>,
    /// How many braces are open.
    depth: usize,
    is_text: bool,
    is_escaped: bool,
}

impl ListItems {
    /// Takes a piece of the list, and hands on each item that ends in it.
    pub(crate) fn push(
        &mut self,
        piece: &[u8],
        take: &mut impl FnMut(Value) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, serde_json::Error> {
        for byte in piece {
            // What stands between items are brackets and commas.
            if self.depth == 0 && *byte != b'{' {
                continue;
            }
            self.item.push(*byte);
            if self.is_text {
                self.is_text = self.is_escaped || *byte != b'"';
                self.is_escaped = !self.is_escaped && *byte == b'\\';
                continue;
            }
            match byte {
                b'"' => self.is_text = true,
                b'{' => self.depth += 1,
                b'}' => self.depth -= 1,
                _ => {}
            }
            if self.depth == 0 {
                let item = serde_json::from_slice(&self.item)?;
                self.item.clear();
                if take(item).is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_are_found_wherever_the_list_is_cut() {
        let list = json!([{"a": "}{\"\\"}, {"b": {"c": [1, {}]}}, {}]);
        let text = list.to_string();
        for size in 1..text.len() {
            let mut items = ListItems::default();
            let mut found = Vec::new();
            for piece in text.as_bytes().chunks(size) {
                let mut take = |item| {
                    found.push(item);
                    ControlFlow::Continue(())
                };
                assert!(items.push(piece, &mut take).unwrap().is_continue());
            }
            assert_eq!(json!(found), list, "cut into {size}");
        }
    }

    #[test]
    fn nothing_is_read_that_is_not_wanted() {
        let mut count = 0;
        let mut take = |_| {
            count += 1;
            ControlFlow::Break(())
        };
        let read = ListItems::default().push(b"[{},{},{broken", &mut take).unwrap();
        assert!(read.is_break());
        assert_eq!(count, 1);
        assert!(ListItems::default().push(b"[{broken}]", &mut |_| ControlFlow::Continue(())).is_err());
    }
}
