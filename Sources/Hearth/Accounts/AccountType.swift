import GraphQL
import Storage

/// A person's own view of themselves: what others see, and what only they see. Its key is the person's with the kind
/// `account`.
enum AccountColumn: StoredColumns {
  case ofPerson(PersonColumn)
  case own(Own)

  enum Own: Int, CaseIterable {
    case email, emailVerified, hidesEmail, phone, person, family, unreadCount, locale, pendingEmail

    fileprivate var column: StoredType.Column {
      switch self {
      case .email: .stored(\Account.email, of: "a")
      case .emailVerified: .stored(\Account.isEmailVerified, of: "a")
      case .hidesEmail: .stored(\Account.hidesEmail, of: "a")
      case .phone: .stored(\Account.phone, of: "a")
      case .person: .stored(\Person.id, of: "p")
      case .family: .stored(\Person.family, of: "p")
      case .unreadCount: .stored(\Account.unreadCount, of: "a")
      case .locale: .stored(\Account.locale, of: "a")
      case .pendingEmail: .text("(SELECT e.email FROM email_change AS e WHERE e.person_id = a.id)")
      }
    }
  }

  static let allCases = PersonColumn.allCases.map(AccountColumn.ofPerson) + Own.allCases.map(AccountColumn.own)

  var rawValue: Int {
    switch self {
    case .ofPerson(let column): column.rawValue
    case .own(let column): PersonColumn.allCases.count + column.rawValue
    }
  }

  init?(rawValue: Int) {
    guard Self.allCases.indices.contains(rawValue) else { return nil }
    self = Self.allCases[rawValue]
  }

  var column: StoredType.Column {
    switch self {
    case .ofPerson(let column): column.column
    case .own(let column): column.column
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
      "email": .stored(AccountColumn.own(.email)),
      "emailVerified": .stored(AccountColumn.own(.emailVerified)),
      "hidesEmail": .stored(AccountColumn.own(.hidesEmail)),
      "phone": .stored(AccountColumn.own(.phone)),
      "locale": .stored(AccountColumn.own(.locale)),
      "pendingEmail": .stored(AccountColumn.own(.pendingEmail)),
      "person": .reference(AccountColumn.own(.person)),
      "family": .reference(AccountColumn.own(.family)),
      "identities": LinkedIdentity.ofAccount,
      "sessions": .ofAccount(SessionType.newest),
      "devices": .ofAccount(DeviceType.ofMember),
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
      "unreadNotificationCount": .stored(AccountColumn.own(.unreadCount)),
    ]) { _, own in own }
  )
}
