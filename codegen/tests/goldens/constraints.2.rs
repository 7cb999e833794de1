impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        let mut place = found.member("code");
        constraint::max_length(&mut place, &self.code, 5);
        constraint::pattern(&mut place, &self.code, &CODE);
        if let Some(count) = &self.count {
            let mut place = found.member("count");
            constraint::minimum(&mut place, count, &1);
            constraint::maximum(&mut place, count, &100);
        }
    }
}

static CODE: Pattern = Pattern::new("^E[0-9]{4}$");
