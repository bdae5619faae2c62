import Storage

/// `hearth account reactivate`: reactivates an adult, or restores a deleted child.
package struct ReactivateAccountRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
  }

  package static let words = "account reactivate"

  package let account: String

  package init(account: String) { self.account = account }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, account) = (server.services, account)
    let member = try await server.write { write in
      let member = try FoundMember.find(account, cipher: services.cipher, from: write.reader)
      guard member.isDeactivated else { throw CommandFailure("The account \(account) is active.") }
      if member.isChild {
        let write = write.inFamily(member.family)
        _ = try RestoreChild.restore(member.key, in: write)
      } else {
        _ = try AccountReturn.reactivate(member.key, by: nil, services: services, in: write)
      }
      return member
    }
    server.log("has reactivated an account.", subject: member.key)
    return Response(id: services.cipher.text(of: member.key), name: member.name)
  }
}
