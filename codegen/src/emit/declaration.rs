//! Declarations of data, most of what is generated, laid out without the way through a syntax tree
//! that other items take.

use proc_macro2::token_stream::IntoIter;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

use super::docs;

/// A longer line might have to be broken, which only the printer knows how to do.
const WIDTH: usize = 84;
const INDENT: &str = "    ";

/// A struct, an enum or an implementation without members, as the printer lays it out; `None` for
/// any other item, and where a line is long.
pub(super) fn text(item: TokenStream) -> Option<String> {
    let mut tokens = item.into_iter();
    let mut out = String::new();
    let mut line = Line::default();
    let mut declares = false;
    let mut next = attributes(&mut tokens, "", &mut out).ok()?;
    while let Some(token) = next {
        match token {
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                let body = body.stream();
                line.text.push_str(" {");
                if !body.is_empty() {
                    declares.then_some(())?;
                    line.end(&mut out)?;
                    members(body, &mut out)?;
                    line = Line::default();
                }
                line.text.push('}');
                line.end(&mut out)?;
                return tokens.next().is_none().then_some(out);
            }
            token => {
                declares |=
                    matches!(&token, TokenTree::Ident(word) if word == "struct" || word == "enum");
                line.push(token)?;
            }
        }
        next = tokens.next();
    }
    declares.then_some(())?;
    line.end(&mut out)?;
    Some(out)
}

/// Something that only the printer can lay out.
struct Unknown;

/// Writes attributes, and gives the token behind them.
fn attributes(
    tokens: &mut IntoIter,
    indent: &str,
    out: &mut String,
) -> Result<Option<TokenTree>, Unknown> {
    loop {
        match tokens.next() {
            Some(TokenTree::Punct(mark)) if mark.as_char() == '#' => {}
            other => return Ok(other),
        }
        let Some(TokenTree::Group(attribute)) = tokens.next() else {
            return Err(Unknown);
        };
        attribute_text(&attribute, indent, out).ok_or(Unknown)?;
    }
}

/// `/// …` or `#[derive(…)]`.
fn attribute_text(attribute: &Group, indent: &str, out: &mut String) -> Option<()> {
    let mut tokens = attribute.stream().into_iter();
    let TokenTree::Ident(name) = tokens.next()? else {
        return None;
    };
    if name == "derive" {
        let mut line = Line::default();
        line.text.push_str(indent);
        line.text.push_str("#[derive");
        line.push(tokens.next()?)?;
        line.text.push(']');
        return line.end(out);
    }
    let (Some(TokenTree::Punct(_)), Some(TokenTree::Literal(text))) =
        (tokens.next(), tokens.next())
    else {
        return None;
    };
    if name != "doc" {
        return None;
    }
    let syn::Lit::Str(text) = syn::Lit::new(text) else {
        return None;
    };
    docs::push(&text.value(), indent, out);
    Some(())
}

/// Fields or variants, each with a comma behind it.
fn members(body: TokenStream, out: &mut String) -> Option<()> {
    let mut tokens = body.into_iter();
    while let Some(first) = attributes(&mut tokens, INDENT, out).ok()? {
        let mut line = Line::default();
        line.text.push_str(INDENT);
        let mut angles = 0_usize;
        let mut next = Some(first);
        while let Some(token) = next {
            if let TokenTree::Punct(mark) = &token {
                match mark.as_char() {
                    ',' if angles == 0 => break,
                    '<' => angles += 1,
                    '>' => angles = angles.checked_sub(1)?,
                    _ => {}
                }
            }
            line.push(token)?;
            next = tokens.next();
        }
        line.text.push(',');
        line.end(out)?;
    }
    Some(())
}

/// A line that is being written.
#[derive(Default)]
struct Line {
    text: String,
    after: After,
}

/// What a line ends with so far.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum After {
    /// Nothing, or a mark that the next token joins.
    #[default]
    Joint,
    /// A word, or a parenthesis or a bracket that closes.
    Name,
    /// A mark that is followed by a space.
    Separator,
}

impl Line {
    /// Adds a token of a type or of the head of an item; nothing for what neither has.
    fn push(&mut self, token: TokenTree) -> Option<()> {
        match token {
            TokenTree::Ident(word) => {
                if self.after != After::Joint {
                    self.text.push(' ');
                }
                self.text.push_str(&word.to_string());
                self.after = After::Name;
            }
            TokenTree::Punct(mark) => {
                let second = self.after == After::Joint && self.text.ends_with(':');
                let joint = second || mark.spacing() == Spacing::Joint;
                self.after = match mark.as_char() {
                    ':' if !joint => After::Separator,
                    ',' => After::Separator,
                    ':' | '<' | '&' | '\'' => {
                        if self.after == After::Separator {
                            self.text.push(' ');
                        }
                        After::Joint
                    }
                    '>' | ';' => After::Name,
                    _ => return None,
                };
                self.text.push(mark.as_char());
            }
            TokenTree::Group(group) if group.delimiter() == Delimiter::Parenthesis => {
                if self.after == After::Separator {
                    self.text.push(' ');
                }
                self.text.push('(');
                self.after = After::Joint;
                for token in group.stream() {
                    self.push(token)?;
                }
                (self.after != After::Separator).then_some(())?;
                self.text.push(')');
                self.after = After::Name;
            }
            _ => return None,
        }
        Some(())
    }

    /// Finishes the line.
    fn end(self, out: &mut String) -> Option<()> {
        (self.text.len() <= WIDTH).then_some(())?;
        out.push_str(&self.text);
        out.push('\n');
        Some(())
    }
}
