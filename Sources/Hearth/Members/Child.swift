import Storage

/// A row of `child`. The row of a removed child stays for its finished chores.
struct Child: StoredRow {
  var family: GlobalID
  var id: GlobalID
  var name: String
  var username: String
  /// The username in the form of comparisons: in lower case.
  var usernameKey: String
  var dateOfBirth: String?
  var gender = Gender.unspecified
  var theme = Theme.sunrise
  /// Points under the current contract.
  var points: Int64 = 0
  /// Points of all time.
  var achievementPoints: Int64 = 0
  /// The current contract.
  var contract: GlobalID?
  var createdAt: Timestamp
  var removedAt: Timestamp?
  var avatar: Int64?
  /// When the child is erased. Nil unless a parent has deleted it.
  var eraseAt: Timestamp?
  /// Nil unless the row has only the key and the points of a child that was erased.
  var erasedAt: Timestamp?
  /// A language tag (BCP 47). Nil if none was chosen: then it is that of a parent.
  var locale: String?

  static let table = Table<Child>(
    "child",
    [
      Column("family_id", \.family),
      Column("id", \.id),
      Column("name", \.name),
      Column("username", \.username),
      Column("username_key", \.usernameKey),
      Column("date_of_birth", \.dateOfBirth),
      Column("gender", \.gender),
      Column("theme", \.theme),
      Column("points", \.points),
      Column("achievement_points", \.achievementPoints),
      Column("contract_id", \.contract),
      Column("created_at", \.createdAt),
      Column("removed_at", \.removedAt),
      Column("avatar", \.avatar),
      Column("erase_at", \.eraseAt),
      Column("erased_at", \.erasedAt),
      Column("locale", \.locale),
    ]
  )

  /// Assignments that clear what a row has about a removed child, except for the name and the points. The username's
  /// key begins with a space, so it cannot be chosen.
  static func clearedProfile<Parameters>() -> SQLFragment<Parameters> {
    """
    username = '', username_key = ' ' || id, date_of_birth = NULL, gender = \(Gender.unspecified), \
    theme = \(Theme.sunrise), avatar = NULL, locale = NULL, contract_id = NULL
    """
  }
}

/// Finds children of a family that are not removed.
extension Child {
  static let exists = SQL<ChildKey>(
    "SELECT 1 FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND removed_at IS NULL"
  )

  static func exists(_ child: GlobalID?, of family: GlobalID, from reader: Reader) throws -> Bool {
    guard let child else { return false }
    return try reader.hasRow(exists, (family: family, child: child))
  }

  static func notFound(_ field: [String]) -> UserError {
    UserError(field: field, code: .notFound, message: "No child of the family has this id.")
  }
}

/// Identifies a row of `child`.
typealias ChildKey = (family: GlobalID, child: GlobalID)
