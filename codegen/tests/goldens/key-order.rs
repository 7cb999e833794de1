use crate::runtime::constraint::{self, Validate, Violations};
use crate::runtime::{choice, object};

/// Properties are in the order of their names, values in that of the document.
#[derive(Clone, Debug, PartialEq)]
pub struct Golden {
    /// `apple`
    pub apple: GoldenApple,
    /// `mango`
    pub mango: Option<GoldenMango>,
    /// `zeal`
    pub zeal: String,
}

crate::object! {
    Golden: Ignored {
        0 "apple" => apple required,
        1 "mango" => mango optional,
        2 "zeal" => zeal required,
    }
}

impl Golden {
    /// A value with its required properties.
    pub fn new(apple: GoldenApple, zeal: impl Into<String>) -> Self {
        Self {
            apple,
            mango: None,
            zeal: zeal.into(),
        }
    }
}

impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        let mut place = found.member("zeal");
        constraint::min_length(&mut place, &self.zeal, 1);
        constraint::max_length(&mut place, &self.zeal, 9);
    }
}
