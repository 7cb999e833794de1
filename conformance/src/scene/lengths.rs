//! Lengths: formats seconds as text, such as `2 days`.

/// A number of seconds in the largest unit that divides it.
pub(crate) fn shown(length: i64) -> String {
    let units = [
        (86_400, "day"),
        (3_600, "hour"),
        (60, "minute"),
        (1, "second"),
    ];
    let largest = units
        .into_iter()
        .find(|(unit, _)| length != 0 && length % unit == 0);
    let (unit, name) = largest.unwrap_or((1, "second"));
    let number = length / unit;
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {name}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_shown() {
        let all = [86_400, 7_200, 90, 0, -86_400].map(shown);
        assert_eq!(
            all,
            ["1 day", "2 hours", "90 seconds", "0 seconds", "-1 days"]
        );
    }
}
