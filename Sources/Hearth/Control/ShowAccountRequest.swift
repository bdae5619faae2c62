import Foundation
import Storage

/// `hearth account show`
package struct ShowAccountRequest: OperatorCommand, ServedCommand {
  static let adult = SQL<GlobalID>(
    """
    SELECT p.id, p.name, p.created_at, p.deactivated_at, f.id, f.name, a.email, a.email_verified, a.phone, \
    a.password_hash IS NOT NULL, a.contact_count FROM person AS p JOIN account AS a ON a.id = p.id \
    JOIN family AS f ON f.id = p.family_id WHERE p.id = \(\.self)
    """
  )
  static let child = SQL<ChildKey>(
    """
    SELECT c.id, c.name, c.created_at, c.removed_at, f.id, f.name, c.username, c.erase_at FROM child AS c \
    JOIN family AS f ON f.id = c.family_id WHERE c.family_id = \(\.family) AND c.id = \(\.child)
    """
  )
  static let sessions = SQL<(member: GlobalID, now: Timestamp)>(
    """
    SELECT id, device, created_at, last_used_at, expires_at FROM session \
    WHERE member_id = \(\.member) AND expires_at > \(\.now) ORDER BY id DESC LIMIT 100
    """
  )
  static let identities = SQL<GlobalID>("SELECT provider FROM identity WHERE person_id = \(\.self) ORDER BY provider")

  package struct Session: Codable, Sendable {
    package let id: String
    package let device: String?
    package let createdAt: Date
    package let lastUsedAt: Date
    package let expiresAt: Date
  }

  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
    /// The e-mail address of an adult.
    package var email: String?
    package var isEmailVerified: Bool?
    package var phone: String?
    /// How the adult can sign in: `password`, and the names of identity providers.
    package var signInMethods: [String]?
    package var contacts: Int?
    /// The username of a child.
    package var username: String?
    package let family: String
    package let familyName: String
    package let createdAt: Date
    package let deactivatedAt: Date?
    /// When a deleted child is erased; nil if it was not deleted.
    package var eraseAt: Date?
    /// The newest of those that are open.
    package var sessions: [Session] = []
  }

  package static let words = "account show"

  /// An e-mail address, an id, or a child's username.
  package let account: String

  package init(account: String) { self.account = account }

  func run(on server: ControlledServer) async throws -> Response {
    let (cipher, account, now) = (server.services.cipher, account, server.now)
    return try await server.read { reader in
      let member = try FoundMember.find(account, cipher: cipher, from: reader)
      var response =
        try member.isChild ? child(member, cipher: cipher, from: reader) : adult(member, cipher: cipher, from: reader)
      response.sessions = try reader.all(of: Self.sessions, (member: member.key, now: Timestamp(now))) { row in
        Session(
          id: cipher.text(of: row.key(0)),
          device: row.optionalString(1),
          createdAt: row.date(2),
          lastUsedAt: row.date(3),
          expiresAt: row.date(4)
        )
      }
      return response
    }
  }

  private func adult(_ member: FoundMember, cipher: IdentifierCipher, from reader: Reader) throws -> Response {
    let found = try reader.first(of: Self.adult, member.key) { row in
      var response = Response(common: row, cipher)
      response.email = row.string(6)
      response.isEmailVerified = row.bool(7)
      response.phone = row.optionalString(8)
      response.signInMethods = row.bool(9) ? ["password"] : []
      response.contacts = Int(row.int64(10))
      return response
    }
    guard var found else { throw CommandFailure("The account was deleted.") }
    found.signInMethods? += try reader.all(of: Self.identities, member.key) { row in
      IdentityProvider(stored: row.int64(0))?.title ?? "an unknown provider"
    }
    return found
  }

  private func child(_ member: FoundMember, cipher: IdentifierCipher, from reader: Reader) throws -> Response {
    let found = try reader.first(of: Self.child, (family: member.family, child: member.key)) { row in
      var response = Response(common: row, cipher)
      response.username = row.string(6)
      response.eraseAt = row.optionalDate(7)
      return response
    }
    guard let found else { throw CommandFailure("The child was removed.") }
    return found
  }
}

extension ShowAccountRequest.Response {
  /// The columns that both statements begin with.
  fileprivate init(common row: Row, _ cipher: IdentifierCipher) {
    self.init(
      id: cipher.text(of: row.key(0)),
      name: row.string(1),
      family: cipher.text(of: row.key(4)),
      familyName: row.string(5),
      createdAt: row.date(2),
      deactivatedAt: row.optionalDate(3)
    )
  }
}
