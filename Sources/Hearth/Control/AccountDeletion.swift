import Foundation
import Storage

/// `hearth account delete`: deactivates an adult, or removes a child, and erases them after the same period as when
/// people do this themselves, or at once.
package struct AccountDeletion: OperatorCommand, ServedCommand {
  static let eraseAt = SQL<GlobalID>("SELECT erase_at FROM person WHERE id = \(\.self) AND erase_at IS NOT NULL")

  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
    package let eraseAt: Date
  }

  package static let words = "account delete"

  package let account: String
  /// Whether to erase now, without a period in which the account can return.
  package let immediately: Bool

  package init(account: String, immediately: Bool) {
    self.account = account
    self.immediately = immediately
  }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, account, immediately, now) = (server.services, account, immediately, server.now)
    let eraseAt = immediately ? now : now + AccountReturn.period
    let member = try await server.write { transaction in
      let member = try FoundMember.find(account, cipher: services.cipher, from: transaction.reader)
      if member.isChild {
        try ParentRemovalRow.requireNone(in: member.family, field: [], transaction: transaction)
        _ = try DeleteChild.delete(
          member.key,
          of: member.family,
          eraseAt: eraseAt,
          isMailed: true,
          at: now,
          services: services,
          in: transaction
        )
        return member
      }
      let known = try transaction.reader.first(of: Self.eraseAt, member.key) { row in row.int64(0) }
      if let known, !immediately {
        let day = Date(milliseconds: known).ISO8601Format()
        throw CommandFailure(
          "The account \(account) was deleted already, and is erased on \(day): use --now to erase it."
        )
      }
      if !member.isDeactivated {
        try DeactivateAccount.leave(member.key, from: member.family, at: now, services: services, in: transaction)
      }
      try DeleteAccount.scheduleErasure(of: member.key, at: eraseAt, now: now, services: services, in: transaction)
      return member
    }
    server.log(immediately ? "has erased an account." : "has deleted an account.", subject: member.key)
    return Response(
      id: services.cipher.text(of: member.key),
      name: member.name,
      eraseAt: Date(milliseconds: eraseAt)
    )
  }
}
