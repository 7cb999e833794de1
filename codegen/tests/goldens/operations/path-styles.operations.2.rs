crate::parameters! {
    FindThingsParameters: Ignored {
        0 "at" => at required,
        1 "ids" => ids required,
        2 "kind" => kind required,
    }
}

impl Validate for FindThingsParameters {}
