//! ECMA-262 expressions in the syntax of the regex crate.

use std::iter::Peekable;
use std::str::Chars;

/// `\s` in ECMA-262.
const SPACE: &str = r"\t\n\x0B\x0C\r\x20\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}";
const WORD: &str = "A-Za-z0-9_";
const DIGIT: &str = "0-9";

/// The expression in the other syntax; nothing for what has no counterpart, such as a look-ahead.
pub(super) fn translate(source: &str) -> Option<String> {
    let mut translation = Translation {
        rest: source.chars().peekable(),
        text: String::with_capacity(source.len()),
    };
    while let Some(next) = translation.rest.next() {
        translation.outside(next)?;
    }
    Some(translation.text)
}

struct Translation<'s> {
    rest: Peekable<Chars<'s>>,
    text: String,
}

/// A member of a class.
enum Member {
    Character(char),
    /// The members of a class, and whether the class is negated.
    Set(String, bool),
}

impl Translation<'_> {
    fn outside(&mut self, next: char) -> Option<()> {
        match next {
            '\\' => match self.rest.peek()? {
                'b' => self.replace(r"(?-u:\b)"),
                'B' => self.replace(r"\B"),
                _ => match self.escape()? {
                    Member::Character(character) => self.literal(character),
                    Member::Set(set, true) => self.text.extend(["[^", &set, "]"]),
                    Member::Set(set, false) => self.text.extend(["[", &set, "]"]),
                },
            },
            '[' => self.class()?,
            '.' => self.text.push_str(r"[^\n\r\x{2028}\x{2029}]"),
            '{' if !self.is_count() => self.literal('{'),
            ']' => self.literal(']'),
            other => self.text.push(other),
        }
        Some(())
    }

    /// Whether `{` begins a quantifier; otherwise it is a literal.
    fn is_count(&self) -> bool {
        let inside: String = self.rest.clone().take_while(|next| *next != '}').collect();
        let (least, most) = inside.split_once(',').unwrap_or((&inside, ""));
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        !least.is_empty() && digits(least) && digits(most)
    }

    fn replace(&mut self, text: &str) {
        self.rest.next();
        self.text.push_str(text);
    }

    fn literal(&mut self, character: char) {
        self.text
            .push_str(&regex::escape(character.encode_utf8(&mut [0; 4])));
    }

    /// What follows a backslash.
    fn escape(&mut self) -> Option<Member> {
        let set = |set: &str, others| Some(Member::Set(set.to_owned(), others));
        let character = match self.rest.next()? {
            'd' => return set(DIGIT, false),
            'D' => return set(DIGIT, true),
            'w' => return set(WORD, false),
            'W' => return set(WORD, true),
            's' => return set(SPACE, false),
            'S' => return set(SPACE, true),
            'p' => return self.property(r"\p"),
            'P' => return self.property(r"\P"),
            't' => '\t',
            'n' => '\n',
            'r' => '\r',
            'v' => '\u{B}',
            'f' => '\u{C}',
            '0' if !self.rest.peek().is_some_and(char::is_ascii_digit) => '\0',
            'x' => char::from_u32(self.hex(2)?)?,
            'u' => self.code_point()?,
            'c' => char::from_u32(u32::from(self.rest.next()?) % 32)?,
            other if other.is_alphanumeric() => return None,
            other => other,
        };
        Some(Member::Character(character))
    }

    /// `\p{…}`, which both know.
    fn property(&mut self, begin: &str) -> Option<Member> {
        if self.rest.next()? != '{' {
            return None;
        }
        let mut name = String::new();
        loop {
            match self.rest.next()? {
                '}' => return Some(Member::Set(format!("{begin}{{{name}}}"), false)),
                other => name.push(other),
            }
        }
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut code = 0;
        for _ in 0..digits {
            code = code * 16 + self.rest.next()?.to_digit(16)?;
        }
        Some(code)
    }

    /// `\u{1F600}`, `\u00E9`, or two halves of a pair.
    fn code_point(&mut self) -> Option<char> {
        if self.rest.peek() == Some(&'{') {
            self.rest.next();
            let mut digits = String::new();
            loop {
                match self.rest.next()? {
                    '}' => return char::from_u32(u32::from_str_radix(&digits, 16).ok()?),
                    other => digits.push(other),
                }
            }
        }
        let high = self.hex(4)?;
        if !(0xD800..0xDC00).contains(&high) {
            return char::from_u32(high);
        }
        if (self.rest.next()?, self.rest.next()?) != ('\\', 'u') {
            return None;
        }
        let low = self.hex(4)?.checked_sub(0xDC00)?;
        char::from_u32(0x1_0000 + ((high - 0xD800) << 10) + low)
    }

    /// A class. A hyphen beside a set, or at an end, is a literal.
    fn class(&mut self) -> Option<()> {
        let others = self.rest.next_if_eq(&'^').is_some();
        let mut sets = Vec::new();
        let mut members: Vec<Member> = Vec::new();
        loop {
            match self.rest.next()? {
                ']' => break,
                '\\' if self.rest.next_if_eq(&'b').is_some() => {
                    members.push(Member::Character('\u{8}'));
                }
                '\\' => members.push(self.escape()?),
                '-' => match (members.last(), self.rest.peek()?) {
                    (Some(Member::Character(first)), end) if *end != ']' => {
                        let first = *first;
                        match self.member_after_hyphen()? {
                            Member::Character(last) => {
                                members.pop();
                                sets.push(format!("{}-{}", escaped(first), escaped(last)));
                            }
                            set @ Member::Set(..) => members.extend([Member::Character('-'), set]),
                        }
                    }
                    _ => members.push(Member::Character('-')),
                },
                other => members.push(Member::Character(other)),
            }
        }
        sets.extend(members.iter().map(|member| match member {
            Member::Character(character) => escaped(*character),
            Member::Set(set, true) => format!("[^{set}]"),
            Member::Set(set, false) => set.clone(),
        }));
        let sets = sets.concat();
        self.text.extend(match (sets.as_str(), others) {
            ("", true) => [r"[\s\S", "", "]"],
            ("", false) => [r"[^\s\S", "", "]"],
            (sets, true) => ["[^", sets, "]"],
            (sets, false) => ["[", sets, "]"],
        });
        Some(())
    }

    fn member_after_hyphen(&mut self) -> Option<Member> {
        match self.rest.next()? {
            '\\' => self.escape(),
            other => Some(Member::Character(other)),
        }
    }
}

/// A literal character in a class.
fn escaped(character: char) -> String {
    format!("\\x{{{:X}}}", u32::from(character))
}
