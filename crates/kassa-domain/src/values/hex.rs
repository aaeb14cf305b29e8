//! Hexadecimal digits, in lower case.

/// The two digits of a byte.
pub const fn byte_digits(byte: u8) -> [u8; 2] {
    const DIGITS: [u8; 16] = *b"0123456789abcdef";
    [DIGITS[(byte >> 4) as usize], DIGITS[(byte & 0xf) as usize]]
}

/// The digits of bytes.
pub fn encode(bytes: &[u8]) -> String {
    bytes.iter().flat_map(|byte| byte_digits(*byte)).map(char::from).collect()
}

/// The bytes of digits, in either case; `None` where the text is something else.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encoded_bytes_decode_to_themselves() {
        let all = [0, 1, 0x7f, 0xff];
        assert_eq!(encode(&all), "00017fff");
        assert_eq!(decode(&encode(&all)), Some(all.to_vec()));
        for text in ["0", "0g", "ффff", "00 0"] {
            assert_eq!(decode(text), None, "{text}");
        }
    }
}
