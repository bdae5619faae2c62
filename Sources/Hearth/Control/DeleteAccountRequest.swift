import Foundation
import Storage

/// `hearth account delete`: deactivates an adult, or removes a child, and erases them after the same period as when
/// people do this themselves, or at once.
package struct DeleteAccountRequest: OperatorCommand, ServedCommand {
  static let eraseAt = SQL<GlobalID>("SELECT erase_at FROM person WHERE id = \(\.self) AND erase_at IS NOT NULL")

  static let eraseAtOfChild = SQL<ChildKey>(
    "SELECT erase_at FROM child WHERE family_id = \(\.family) AND id = \(\.child) AND erase_at IS NOT NULL"
  )

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
    let (services, account, immediately) = (server.services, account, immediately)
    let (member, eraseAt) = try await server.write { write in
      let now = write.now.milliseconds
      let eraseAt = immediately ? now : now + AccountReturn.period
      let member = try FoundMember.find(account, cipher: services.cipher, from: write.reader)
      let known = try Self.scheduledErasure(of: member, from: write.reader)
      if let known, !immediately {
        let day = Date(milliseconds: known).ISO8601Format()
        throw CommandFailure(
          "The account \(account) was deleted already, and is erased on \(day): use --now to erase it."
        )
      }
      // Otherwise it is being erased already, or waits until the clock is settled.
      if known.map({ $0 > now }) ?? true {
        try Self.schedule(member, eraseAt: eraseAt, services: services, in: write.inFamily(member.family))
      }
      if immediately {
        try ImmediateErasure.mark(member.key, in: write.inFamily(member.family))
        write.transaction.afterCommit { services.erasures.schedule(at: now) }
      }
      return (member, eraseAt)
    }
    server.log(immediately ? "has begun the erasure of an account." : "has deleted an account.", subject: member.key)
    return Response(
      id: services.cipher.text(of: member.key),
      name: member.name,
      eraseAt: Date(milliseconds: eraseAt)
    )
  }

  /// Deactivates or removes a member, and schedules the erasure.
  private static func schedule(
    _ member: FoundMember,
    eraseAt: Int64,
    services: Services,
    in write: FamilyWrite
  ) throws {
    if member.isChild {
      try ParentRemovalRow.requireNone(of: member.family, field: [], from: write.reader)
      _ = try DeleteChild.delete(
        member.key,
        eraseAt: eraseAt,
        isMailed: true,
        services: services,
        in: write
      )
      return
    }
    if !member.isDeactivated {
      try DeactivateAccount.leave(member.key, unassignments: services.unassignments, in: write)
    }
    try DeleteAccount.scheduleErasure(of: member.key, at: eraseAt, services: services, in: write.dated)
  }

  /// When a member is erased; nil if they are not deleted.
  private static func scheduledErasure(of member: FoundMember, from reader: Reader) throws -> Int64? {
    if member.isChild {
      return try reader.number(of: eraseAtOfChild, (family: member.family, child: member.key))
    }
    return try reader.number(of: eraseAt, member.key)
  }
}
