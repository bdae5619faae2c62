import GraphQL

/// The fields of the interface `Member`, for every type that implements it.
enum Member {
  static func fields<Columns: StoredColumns>(
    id: Columns,
    name: Columns,
    dateOfBirth: Columns,
    gender: Columns,
    theme: Columns,
    avatar: Columns
  ) -> [String: FieldBinding] {
    fields(
      id: id.rawValue,
      name: name.rawValue,
      dateOfBirth: dateOfBirth.rawValue,
      gender: gender.rawValue,
      theme: theme.rawValue,
      avatar: avatar.rawValue
    )
  }

  /// The same for stored rows.
  static func fields<Row: StoredRow>(
    id: KeyPath<Row, GlobalID>,
    name: KeyPath<Row, String>,
    dateOfBirth: KeyPath<Row, String?>,
    gender: KeyPath<Row, Gender>,
    theme: KeyPath<Row, Theme>,
    avatar: KeyPath<Row, Int64?>
  ) -> [String: FieldBinding] {
    fields(
      id: Row.column(of: id),
      name: Row.column(of: name),
      dateOfBirth: Row.column(of: dateOfBirth),
      gender: Row.column(of: gender),
      theme: Row.column(of: theme),
      avatar: Row.column(of: avatar)
    )
  }

  /// The same by column indices.
  private static func fields(
    id: Int,
    name: Int,
    dateOfBirth: Int,
    gender: Int,
    theme: Int,
    avatar: Int
  ) -> [String: FieldBinding] {
    [
      "id": .column(id),
      "name": .column(name),
      "dateOfBirth": .column(dateOfBirth),
      "gender": .column(gender),
      "theme": .column(theme),
      "age": .leaf(needs: [dateOfBirth]) { member in
        guard let birthday = member.string(dateOfBirth) else { return .null }
        return LeafValue(CalendarDay.age(born: birthday, on: try request(member.context).today()))
      },
      "avatar": .picture(column: avatar, needs: [name, theme]) { member in
        .of(name: member.string(name) ?? "", theme: Theme(stored: member.int(theme) ?? 0) ?? .sunrise)
      },
    ]
  }
}
