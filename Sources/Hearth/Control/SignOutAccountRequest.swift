import Storage

/// `hearth account sign-out`: ends all sessions of an account, and those of children that were opened with it, or all
/// sessions of a child.
package struct SignOutAccountRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
  }

  package static let words = "account sign-out"

  package let account: String

  package init(account: String) { self.account = account }

  func run(on server: ControlledServer) async throws -> Response {
    let (cipher, account) = (server.services.cipher, account)
    let member = try await server.write { write in
      let member = try FoundMember.find(account, cipher: cipher, from: write.reader)
      if member.isChild {
        try Sessions.endAll(of: member.key, in: write.transaction)
      } else {
        try Sessions.endAll(openedBy: member.key, in: member.family, transaction: write.transaction)
      }
      return member
    }
    server.log("has signed out an account everywhere.", subject: member.key)
    return Response(id: cipher.text(of: member.key), name: member.name)
  }
}
