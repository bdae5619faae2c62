import Storage

/// `hearth account reactivate`: reactivates an adult, or restores a deleted child.
package struct ReactivateAccountRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
    /// False for a child that was removed before it was deleted: it is not erased any more, but stays removed. Nil from
    /// a server of an earlier version.
    package let isActive: Bool?
  }

  package static let words = "account reactivate"

  package let account: String

  package init(account: String) { self.account = account }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, account) = (server.services, account)
    let (member, isActive) = try await server.write { write in
      let member = try FoundMember.find(account, cipher: services.cipher, from: write.reader)
      guard member.isDeactivated else { throw CommandFailure("The account \(account) is active.") }
      if member.isChild {
        return (member, try RestoreChild.restore(member.key, in: write.inFamily(member.family)))
      }
      _ = try AccountReturn.reactivate(member.key, by: nil, services: services, in: write)
      return (member, true)
    }
    let sentence = isActive ? "has reactivated an account." : "has cancelled the erasure of a removed child."
    server.log(sentence, subject: member.key)
    return Response(id: services.cipher.text(of: member.key), name: member.name, isActive: isActive)
  }
}
