//! How a parameter travels.

/// One parameter: the field of the struct that holds it, and how it travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// The serialised name of the field in the struct of parameters.
    pub field: &'static str,
    /// The name on the wire.
    pub name: &'static str,
    /// Where it travels.
    pub place: Place,
    /// How values are put into text.
    pub style: Style,
    /// Whether lists and objects become one parameter for each part.
    pub explode: bool,
    /// What kind of value it holds.
    pub shape: Shape,
    /// Whether reserved characters stay as they are.
    pub allow_reserved: bool,
}

/// Where a parameter travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the path.
    Path,
    /// In the query, or in a form.
    Query,
    /// In a header.
    Header,
    /// In the cookie header.
    Cookie,
}

/// The styles of OpenAPI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`
    Label,
    /// `;name=a;name=b`
    Matrix,
    /// `name=a&name=b`
    Form,
    /// `name=a%20b`
    SpaceDelimited,
    /// `name=a%7Cb`
    PipeDelimited,
    /// `name[a]=1&name[b]=2`
    DeepObject,
    /// `name="a"`: a field of a form that is JSON, or each of its items.
    Json,
}

/// What kind of value a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A string, number or boolean.
    Text,
    /// An array.
    List,
    /// An object.
    Map,
}

impl Parameter {
    /// A path parameter in its default style.
    pub const fn path(name: &'static str) -> Self {
        Self::new(name, Place::Path, Style::Simple, false)
    }

    /// A query parameter in its default style.
    pub const fn query(name: &'static str) -> Self {
        Self::new(name, Place::Query, Style::Form, true)
    }

    /// A header parameter in its default style.
    pub const fn header(name: &'static str) -> Self {
        Self::new(name, Place::Header, Style::Simple, false)
    }

    /// A cookie parameter in its default style.
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(name, Place::Cookie, Style::Form, true)
    }

    const fn new(name: &'static str, place: Place, style: Style, explode: bool) -> Self {
        let shape = Shape::Text;
        Self {
            field: name,
            name,
            place,
            style,
            explode,
            shape,
            allow_reserved: false,
        }
    }

    /// Held in a field that is serialised under another name.
    #[must_use]
    pub const fn field(mut self, field: &'static str) -> Self {
        self.field = field;
        self
    }

    /// In another style.
    #[must_use]
    pub const fn style(mut self, style: Style, explode: bool) -> Self {
        self.style = style;
        self.explode = explode;
        self
    }

    /// Holds an array.
    #[must_use]
    pub const fn list(mut self) -> Self {
        self.shape = Shape::List;
        self
    }

    /// Holds an object.
    #[must_use]
    pub const fn map(mut self) -> Self {
        self.shape = Shape::Map;
        self
    }

    /// With reserved characters as they are.
    #[must_use]
    pub const fn reserved(mut self) -> Self {
        self.allow_reserved = true;
        self
    }
}
