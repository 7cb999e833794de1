/// The value at `Golden.apple`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoldenApple {
    /// `b`
    B,
    /// `a`
    A,
}

crate::choice! {
    GoldenApple {
        "b" => B,
        "a" => A,
    }
}

impl Validate for GoldenApple {}

/// The value at `Golden.mango`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoldenMango {
    /// `one`
    pub one: Option<bool>,
    /// `two`
    pub two: Option<i64>,
}

crate::object! {
    GoldenMango: Ignored {
        0 "one" => one optional,
        1 "two" => two optional,
    }
}

impl Validate for GoldenMango {}
