import Foundation
import Storage

/// `hearth family show`
package struct ShowFamilyRequest: OperatorCommand, ServedCommand {
  static let family = SQL<GlobalID>("SELECT name, time_zone, created_at FROM family WHERE id = \(\.self)")
  static let parents = SQL<GlobalID>(
    """
    SELECT p.id, p.name, a.email, p.deactivated_at FROM person AS p JOIN account AS a ON a.id = p.id \
    WHERE p.family_id = \(\.self) ORDER BY p.id
    """
  )
  static let children = SQL<GlobalID>(
    """
    SELECT id, name, username, points, erase_at FROM child \
    WHERE family_id = \(\.self) AND (removed_at IS NULL OR erase_at IS NOT NULL) ORDER BY id
    """
  )
  static let chores = SQL<GlobalID>(
    "SELECT count(*) FROM chore WHERE family_id = \(\.self) AND removed_at IS NULL"
  )
  static let items = SQL<GlobalID>("SELECT count(*) FROM item WHERE family_id = \(\.self)")

  package struct Parent: Codable, Sendable {
    package let id: String
    package let name: String
    package let email: String
    package let deactivatedAt: Date?
  }

  package struct Child: Codable, Sendable {
    package let id: String
    package let name: String
    /// The username; that of a deleted child is its former one.
    package let username: String
    package let points: Int
    /// When a deleted child is erased; nil if it was not deleted.
    package let eraseAt: Date?
  }

  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
    package let timeZone: String
    package let createdAt: Date
    package let parents: [Parent]
    package let children: [Child]
    package let chores: Int
    package let items: Int
  }

  package static let words = "family show"

  /// The id of the family, or one of its members: an e-mail address, an id, or a child's username.
  package let family: String

  package init(family: String) { self.family = family }

  func run(on server: ControlledServer) async throws -> Response {
    let (cipher, family) = (server.services.cipher, family)
    return try await server.read { reader in
      let key =
        if let given = cipher.key(of: family), given.kind == .family { given } else {
          try FoundMember.find(family, cipher: cipher, from: reader).family
        }
      return try Self.response(for: key, cipher: cipher, from: reader)
    }
  }

  private static func response(
    for key: GlobalID,
    cipher: IdentifierCipher,
    from reader: Reader
  ) throws -> Response {
    func text(_ row: Row) -> String { cipher.text(of: row.key(0)) }
    let found = try reader.first(of: family, key) { row in
      (name: row.string(0), timeZone: row.string(1), createdAt: row.int64(2))
    }
    guard let found else { throw CommandFailure("There is no family with this id.") }
    return Response(
      id: cipher.text(of: key),
      name: found.name,
      timeZone: found.timeZone,
      createdAt: Date(milliseconds: found.createdAt),
      parents: try reader.all(of: parents, key) { row in
        Parent(
          id: text(row),
          name: row.string(1),
          email: row.string(2),
          deactivatedAt: row.optionalDate(3)
        )
      },
      children: try reader.all(of: children, key) { row in
        Child(
          id: text(row),
          name: row.string(1),
          username: row.string(2),
          points: Int(row.int64(3)),
          eraseAt: row.optionalDate(4)
        )
      },
      chores: Int(try reader.number(of: chores, key) ?? 0),
      items: Int(try reader.number(of: items, key) ?? 0)
    )
  }
}
