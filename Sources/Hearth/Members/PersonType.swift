import GraphQL
import Storage

enum PersonColumn: Int, StoredColumns {
  case id, name, firstName, middleName, lastName, dateOfBirth, gender, theme, avatar, memberSince

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .name: .text("p.name")
    case .firstName: .text("p.first_name")
    case .middleName: .text("p.middle_name")
    case .lastName: .text("p.last_name")
    case .dateOfBirth: .text("p.date_of_birth")
    case .gender: .enumeration("p.gender", Gender.self)
    case .theme: .enumeration("p.theme", Theme.self)
    case .avatar: .integer("p.avatar")
    case .memberSince: .dateTime("p.created_at")
    }
  }
}

enum PersonType {
  static let stored = StoredType(key: "p.id", PersonColumn.self)
  static let byKey = Loader.byKey(stored, from: "person AS p ON p.id = k.value WHERE p.family_id = ?2")
  /// Those who are here: who has left is still found as the one who once added a chore.
  static let byFamily = Loader.byParent(
    stored,
    from: "person AS p ON p.family_id = k.value WHERE k.value = ?2 AND p.deactivated_at IS NULL"
  )

  static let binding = ObjectBinding(
    byKey,
    Member.fields(
      id: PersonColumn.id,
      name: .name,
      dateOfBirth: .dateOfBirth,
      gender: .gender,
      theme: .theme,
      avatar: .avatar
    ).merging([
      "firstName": .stored(PersonColumn.firstName),
      "middleName": .stored(PersonColumn.middleName),
      "lastName": .stored(PersonColumn.lastName),
      "memberSince": .stored(PersonColumn.memberSince),
    ]) { _, own in own }
  )
}
