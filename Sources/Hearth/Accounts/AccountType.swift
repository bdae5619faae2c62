import GraphQL
import Storage

/// A person's own view of themselves. Its key is the person's, viewed as an account.
enum AccountColumn: Int, StoredColumns {
  case id, name, firstName, middleName, lastName, dateOfBirth, gender, theme, avatar, email, emailVerified, hidesEmail,
    phone, person, family

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
    case .email: .text("a.email")
    case .emailVerified: .boolean("a.email_verified")
    case .hidesEmail: .boolean("a.hides_email")
    case .phone: .text("a.phone")
    case .person: .key("p.id")
    case .family: .key("p.family_id")
    }
  }
}

enum AccountType {
  static let stored = StoredType(key: "k.value", AccountColumn.self)
  /// Only the viewer's own: the key is that of an account, and the person in it must be the viewer.
  static let byKey = Loader.byKey(
    stored,
    from: """
      person AS p ON p.id = (k.value & ~63 | \(Kind.person.rawValue)) CROSS JOIN account AS a ON a.id = p.id \
      WHERE p.id = ?3 AND p.family_id = ?2
      """
  )

  static let binding = ObjectBinding(
    byKey,
    Member.fields(
      id: AccountColumn.id,
      name: .name,
      dateOfBirth: .dateOfBirth,
      gender: .gender,
      theme: .theme,
      avatar: .avatar
    ).merging([
      "firstName": .stored(AccountColumn.firstName),
      "middleName": .stored(AccountColumn.middleName),
      "lastName": .stored(AccountColumn.lastName),
      "email": .stored(AccountColumn.email),
      "emailVerified": .stored(AccountColumn.emailVerified),
      "hidesEmail": .stored(AccountColumn.hidesEmail),
      "phone": .stored(AccountColumn.phone),
      "person": .reference(AccountColumn.person),
      "family": .reference(AccountColumn.family),
      "identities": LinkedIdentity.ofAccount,
      "sessions": SessionType.ofAccount,
    ]) { _, own in own }
  )
}
