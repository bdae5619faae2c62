import GraphQL

/// What the interface `Member` has, for every type that implements it.
enum Member {
  static func fields<Columns: StoredColumns>(
    id: Columns,
    name: Columns,
    dateOfBirth: Columns,
    gender: Columns,
    theme: Columns,
    avatar: Columns
  ) -> [String: FieldBinding] {
    [
      "id": .stored(id),
      "name": .stored(name),
      "dateOfBirth": .stored(dateOfBirth),
      "gender": .stored(gender),
      "theme": .stored(theme),
      "age": .computed(needs: [dateOfBirth]) { member, context in
        guard let birthday = member.string(dateOfBirth.rawValue) else { return .null }
        return LeafValue(CalendarDay.age(born: birthday, on: try context.today()))
      },
      "avatar": .picture(avatar, needs: [name, theme]) { member in
        .of(
          name: member.string(name.rawValue) ?? "",
          theme: Theme(stored: member.int(theme.rawValue) ?? 0) ?? .sunrise
        )
      },
    ]
  }
}
