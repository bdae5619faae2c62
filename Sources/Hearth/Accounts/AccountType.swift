import GraphQL
import Storage

/// A person's own view of themselves: what others see, and what only they see. Its key is the person's with the kind
/// `account`.
enum AccountColumn: StoredColumns {
  case ofPerson(PersonColumn)
  case email, emailVerified, hidesEmail, phone, person, family, contactCount, notificationCount, unreadCount,
    locale, pendingEmail

  private static let own: [AccountColumn] = [
    .email, .emailVerified, .hidesEmail, .phone, .person, .family, .contactCount, .notificationCount, .unreadCount,
    .locale, .pendingEmail,
  ]
  static let allCases = PersonColumn.allCases.map(AccountColumn.ofPerson) + own

  var rawValue: Int {
    let index =
      switch self {
      case .ofPerson(let column): column.rawValue - PersonColumn.allCases.count
      case .email: 0
      case .emailVerified: 1
      case .hidesEmail: 2
      case .phone: 3
      case .person: 4
      case .family: 5
      case .contactCount: 6
      case .notificationCount: 7
      case .unreadCount: 8
      case .locale: 9
      case .pendingEmail: 10
      }
    return index + PersonColumn.allCases.count
  }

  init?(rawValue: Int) {
    guard Self.allCases.indices.contains(rawValue) else { return nil }
    self = Self.allCases[rawValue]
  }

  var column: StoredType.Column {
    switch self {
    case .ofPerson(let column): column.column
    case .email: .stored(\Account.email, of: "a")
    case .emailVerified: .stored(\Account.isEmailVerified, of: "a")
    case .hidesEmail: .stored(\Account.hidesEmail, of: "a")
    case .phone: .stored(\Account.phone, of: "a")
    case .person: .stored(\Person.id, of: "p")
    case .family: .stored(\Person.family, of: "p")
    case .contactCount: .stored(\Account.contactCount, of: "a")
    case .notificationCount: .stored(\Account.notificationCount, of: "a")
    case .unreadCount: .stored(\Account.unreadCount, of: "a")
    case .locale: .stored(\Account.locale, of: "a")
    case .pendingEmail: .text("(SELECT e.email FROM email_change AS e WHERE e.person_id = a.id)")
    }
  }
}

enum AccountType {
  static let stored = StoredType(key: "k.value", AccountColumn.self)
  /// Only the viewer's own account. The key has the kind `account`, and its number must be that of the viewer.
  static let byKey = Loader.byKey(
    stored,
    from: """
      \(rows: .person, of: \.family) AS p ON p.id = (k.value & ~\(sql: String(GlobalID.kindMask)) | \(Kind.person)) \
      \(join: .asWritten) \(rows: .account, of: \.viewer) AS a ON a.id = p.id \
      WHERE p.id = \(\.viewer)
      """
  )

  static let binding = ObjectBinding(
    byKey,
    fields: PersonType.fields(AccountColumn.ofPerson).merging([
      "email": .stored(AccountColumn.email),
      "emailVerified": .stored(AccountColumn.emailVerified),
      "hidesEmail": .stored(AccountColumn.hidesEmail),
      "phone": .stored(AccountColumn.phone),
      "locale": .stored(AccountColumn.locale),
      "pendingEmail": .stored(AccountColumn.pendingEmail),
      "person": .reference(AccountColumn.person),
      "family": .reference(AccountColumn.family),
      "identities": LinkedIdentity.ofAccount,
      "sessions": SessionType.ofAccount,
      "devices": DeviceType.ofAccount,
      "notificationSettings": NotificationSettings.ofAccount,
      "contacts": .connection(ContactPages.order) { _, pageQuery, context in
        try ContactPages.page(pageQuery, in: context)
      },
      "contactRequests": .connection(ContactRequestPages.order) { _, pageQuery, context in
        try ContactRequestPages.page(pageQuery, in: context)
      },
      "groups": .connection(GroupPages.order) { _, pageQuery, context in try GroupPages.page(pageQuery, in: context) },
      "notifications": .connection(NotificationPages.order) { _, pageQuery, context in
        try NotificationPages.page(pageQuery, in: context)
      },
      "unreadNotificationCount": .stored(AccountColumn.unreadCount),
    ]) { _, own in own }
  )
}
