import Foundation
import Storage

/// `hearth account list`: accounts in the order of their registration.
package struct ListAccountsRequest: OperatorCommand, ServedCommand {
  typealias Page = (after: GlobalID, name: String, email: String, limit: Int64)

  static let page = SQL<Page>(
    """
    SELECT p.id, p.name, a.email, a.email_verified, p.family_id, p.created_at, p.deactivated_at \
    FROM person AS p \(join: .asWritten) account AS a ON a.id = p.id WHERE p.id > \(\.after) \
    AND (\(positionOf: \.name, in: "p.name_key") > 0 OR \(positionOf: \.email, in: "a.email_key") > 0) \
    ORDER BY p.id LIMIT \(\.limit)
    """
  )

  package struct Account: Codable, Sendable {
    package let id: String
    package let name: String
    package let email: String
    package let isEmailVerified: Bool
    package let family: String
    package let createdAt: Date
    package let deactivatedAt: Date?
  }

  package struct Response: Codable, Sendable {
    package let accounts: [Account]
    /// The id to continue after; nil after the last account.
    package let next: String?
  }

  package static let words = "account list"

  /// Part of the name or of the e-mail address.
  package let search: String?
  package let after: String?
  package let limit: Int

  package init(search: String?, after: String?, limit: Int) {
    self.search = search
    self.after = after
    self.limit = limit
  }

  func run(on server: ControlledServer) async throws -> Response {
    let cipher = server.services.cipher
    let limit = ListLimit.clamped(limit)
    let start = try after.map { text in
      guard let key = cipher.person(of: text), key.kind == .person else {
        throw CommandFailure("\(text) is not the id of an account.")
      }
      return key
    }
    let text = search ?? ""
    // The words of a name precede it in its key, each after a space.
    let words = NameOrder.words(of: text).joined(separator: " ")
    let page: Page = (
      after: start ?? GlobalID(rawValue: 0), name: text.contains("@") ? text.lowercased() : words,
      email: text.lowercased(), limit: Int64(limit) + 1
    )
    let found = try await server.read { reader in
      try reader.all(of: Self.page, page) { row in
        Account(
          id: cipher.text(of: row.key(0)),
          name: row.string(1),
          email: row.string(2),
          isEmailVerified: row.bool(3),
          family: cipher.text(of: row.key(4)),
          createdAt: row.date(5),
          deactivatedAt: row.optionalDate(6)
        )
      }
    }
    let accounts = Array(found.prefix(limit))
    return Response(accounts: accounts, next: found.count > limit ? accounts.last?.id : nil)
  }
}
