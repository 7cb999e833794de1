/// What a body of `tag` has to keep to.
pub fn check_tag_body(body: &[String], found: &mut Violations<'_>) {
    let place = found;
    constraint::min_items(place, body.len(), 1);
    for (index, item) in body.iter().enumerate() {
        constraint::max_length(&mut place.item(index), item, 3);
    }
}
