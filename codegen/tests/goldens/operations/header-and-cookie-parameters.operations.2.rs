crate::parameters! {
    CountThingsParameters: Ignored {
        0 "X-Filter" => x_filter required,
        1 "X-Place" => x_place required,
        2 "X-Tags" => x_tags required,
        3 "session" => session required,
    }
}

impl Validate for CountThingsParameters {}
