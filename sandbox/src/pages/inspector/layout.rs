//! Indents JSON for reading without changing a token.

/// Indents a JSON text, which may be truncated.
pub(super) fn lay_out(json: &str) -> String {
    let mut laid = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_string, mut escaped) = (0_usize, false, false);
    let mut letters = json.chars().peekable();
    while let Some(letter) = letters.next() {
        if in_string {
            laid.push(letter);
            in_string = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            continue;
        }
        match letter {
            '"' => in_string = true,
            letter if letter.is_ascii_whitespace() => continue,
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                break_line(&mut laid, depth);
            }
            _ => {}
        }
        laid.push(letter);
        match letter {
            '{' | '[' => {
                while letters.next_if(char::is_ascii_whitespace).is_some() {}
                if let Some(end) = letters.next_if(|next| matches!(next, '}' | ']')) {
                    laid.push(end);
                } else {
                    depth += 1;
                    break_line(&mut laid, depth);
                }
            }
            ',' => break_line(&mut laid, depth),
            ':' => laid.push(' '),
            _ => {}
        }
    }
    laid
}

fn break_line(text: &mut String, depth: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n("  ", depth));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_stay_unchanged() {
        let table = [
            (
                r#"{"a":10.10,"b":[]}"#,
                "{\n  \"a\": 10.10,\n  \"b\": []\n}",
            ),
            (r#"[ { } , "a,{\"" ]"#, "[\n  {},\n  \"a,{\\\"\"\n]"),
            (r#"{"a":"\\","b":1"#, "{\n  \"a\": \"\\\\\",\n  \"b\": 1"),
            ("7", "7"),
            ("", ""),
        ];
        for (json, expected) in table {
            assert_eq!(lay_out(json), expected, "{json}");
        }
    }
}
