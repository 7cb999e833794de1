impl Validate for Tagged {
    fn validate(&self, found: &mut Violations<'_>) {
        let mut place = found.member("tags");
        constraint::max_items(&mut place, self.tags.len(), 2);
        for (index, item) in self.tags.iter().enumerate() {
            item.validate(&mut place.item(index));
        }
    }
}

static STRING: Pattern = Pattern::new("^[a-z]+$");
