impl Validate for Golden {
    fn validate(&self, found: &mut Violations<'_>) {
        if let Some(count) = &self.count {
            let mut place = found.member("count");
            constraint::above(&mut place, count, &0);
            constraint::maximum(&mut place, count, &9);
        }
        let mut place = found.member("rate");
        if let Some(exact) = self.rate.to_decimal() {
            constraint::above(&mut place, &exact, &rust_decimal::Decimal::new(0, 0));
        }
        if let Some(exact) = self.rate.to_decimal() {
            constraint::below(&mut place, &exact, &rust_decimal::Decimal::new(100, 0));
        }
    }
}
