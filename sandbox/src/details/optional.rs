//! A macro for records whose fields are all optional.

/// Declares a record of optional fields. Its JSON leaves out absent fields.
///
/// The literal after `in` is the case of the JSON names, as in serde's `rename_all`.
macro_rules! optional {
    (
        $(#[$about:meta])*
        $visibility:vis struct $name:ident in $case:literal {
            $($(#[$field_about:meta])* $field:ident: $kind:ty,)*
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        #[serde(default, rename_all = $case)]
        $visibility struct $name {
            $(
                $(#[$field_about])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $field: Option<$kind>,
            )*
        }
    };
}

pub(super) use optional;
