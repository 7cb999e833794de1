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
    #[cfg(feature = "styles")]
    pub style: Style,
    /// Whether lists and objects become one parameter for each part.
    #[cfg(feature = "styles")]
    pub explode: bool,
    /// What kind of value it holds.
    #[cfg(feature = "styles")]
    pub shape: Shape,
    /// Whether reserved characters stay as they are.
    #[cfg(feature = "styles")]
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
    #[cfg(feature = "styles")]
    Cookie,
}

/// The styles of OpenAPI.
#[cfg(feature = "styles")]
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
#[cfg(feature = "styles")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A string, number or boolean.
    Text,
    /// An array.
    List,
    /// An object.
    Map,
    /// Any value.
    Any,
}

impl Parameter {
    /// A path parameter in its default style.
    pub const fn path(name: &'static str) -> Self {
        Self::new(name, Place::Path)
    }

    /// A query parameter in its default style.
    pub const fn query(name: &'static str) -> Self {
        Self::new(name, Place::Query)
    }

    /// A header parameter in its default style.
    pub const fn header(name: &'static str) -> Self {
        Self::new(name, Place::Header)
    }

    /// A cookie parameter in its default style.
    #[cfg(feature = "styles")]
    pub const fn cookie(name: &'static str) -> Self {
        Self::new(name, Place::Cookie)
    }

    const fn new(name: &'static str, place: Place) -> Self {
        #[cfg(feature = "styles")]
        let form = matches!(place, Place::Query | Place::Cookie);
        Self {
            field: name,
            name,
            place,
            #[cfg(feature = "styles")]
            style: if form { Style::Form } else { Style::Simple },
            #[cfg(feature = "styles")]
            explode: form,
            #[cfg(feature = "styles")]
            shape: Shape::Text,
            #[cfg(feature = "styles")]
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
    #[cfg(feature = "styles")]
    #[must_use]
    pub const fn style(mut self, style: Style, explode: bool) -> Self {
        self.style = style;
        self.explode = explode;
        self
    }

    /// Holds what is no single text.
    #[cfg(feature = "styles")]
    #[must_use]
    pub const fn shape(mut self, shape: Shape) -> Self {
        self.shape = shape;
        self
    }

    /// With reserved characters as they are.
    #[cfg(feature = "styles")]
    #[must_use]
    pub const fn reserved(mut self) -> Self {
        self.allow_reserved = true;
        self
    }
}
