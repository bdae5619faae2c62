import Storage

/// The adult or child that an operator means: an adult by the e-mail address or id, a child by the username or id. A
/// child that was deleted has its former username, unless another child has it now, and one that was removed has only
/// the id, until it is erased.
struct FoundMember: Sendable {
  /// The columns of a person as `p`, and of their account as `a`.
  private static let columnsOfAdult = "p.id, p.family_id, p.name, a.email, p.deactivated_at"
  private static let columnsOfChild = "id, family_id, name, removed_at"

  static let adult = SQL<GlobalID>(
    """
    SELECT \(sql: columnsOfAdult) FROM person AS p JOIN account AS a ON a.id = p.id \
    WHERE p.id = \(\.self)
    """
  )
  static let adultByEmail = SQL<String>(
    """
    SELECT \(sql: columnsOfAdult) FROM account AS a JOIN person AS p ON p.id = a.id \
    WHERE a.email_key = \(\.self)
    """
  )
  static let childByUsername = SQL<String>(
    "SELECT \(sql: columnsOfChild) FROM child WHERE username_key = \(\.self) AND removed_at IS NULL"
  )
  /// The key of a removed child's username was released. Few children wait for their erasure.
  static let deletedChildByUsername = SQL<String>(
    """
    SELECT \(sql: columnsOfChild) FROM child \(index: "child_to_erase") \
    WHERE erase_at > 0 AND lower(username) = \(\.self) ORDER BY erase_at LIMIT 2
    """
  )
  static let child = SQL<GlobalID>(
    "SELECT \(sql: columnsOfChild) FROM child WHERE id = \(\.self) AND erased_at IS NULL"
  )

  let key: GlobalID
  let family: GlobalID
  let name: String
  /// Nil for a child.
  let email: String?
  /// Whether an adult is deactivated, or a child was removed from its family.
  let isDeactivated: Bool

  var isChild: Bool { key.kind == .child }

  /// Throws a `CommandFailure` if there is no such member.
  static func find(_ text: String, cipher: IdentifierCipher, from reader: Reader) throws -> FoundMember {
    let name = InputForm.normalized(text).lowercased()
    if name.contains("@") {
      if let found = try reader.first(of: adultByEmail, name, FoundMember.init(adult:)) { return found }
      throw CommandFailure("No account has the e-mail address \(text).")
    }
    if let key = cipher.person(of: text) {
      let found =
        switch key.kind {
        case .person: try reader.first(of: adult, key, FoundMember.init(adult:))
        case .child: try reader.first(of: child, key, FoundMember.init(child:))
        default: nil as FoundMember?
        }
      if let found { return found }
    }
    if let found = try reader.first(of: childByUsername, name, FoundMember.init(child:)) { return found }
    let deleted = try reader.all(of: deletedChildByUsername, name, FoundMember.init(child:))
    if deleted.count > 1 { throw CommandFailure("Several deleted children had the username \(text): use an id.") }
    if let found = deleted.first { return found }
    throw CommandFailure("There is no account with the e-mail address, username or id \(text).")
  }

  /// The same for commands that concern adults only.
  static func findAdult(_ text: String, cipher: IdentifierCipher, from reader: Reader) throws -> FoundMember {
    let found = try find(text, cipher: cipher, from: reader)
    guard !found.isChild else {
      throw CommandFailure("\(text) is a child, and this command is for adults.")
    }
    return found
  }

  private init(adult row: Row) {
    key = row.key(0)
    family = row.key(1)
    name = row.string(2)
    email = row.string(3)
    isDeactivated = !row.isNull(4)
  }

  private init(child row: Row) {
    key = row.key(0)
    family = row.key(1)
    name = row.string(2)
    email = nil
    isDeactivated = !row.isNull(3)
  }
}
