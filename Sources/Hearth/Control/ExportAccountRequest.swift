import Foundation

/// `hearth account export`: an archive with everything that the server has about an adult or a child.
package struct ExportAccountRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let id: String
    package let name: String
    /// The path of the archive in the data folder.
    package let file: String
    /// When the archive is deleted.
    package let expiresAt: Date
  }

  package static let words = "account export"

  package let account: String

  package init(account: String) { self.account = account }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, account, now) = (server.services, account, server.now)
    let member = try await server.read { reader in try FoundMember.find(account, cipher: services.cipher, from: reader)
    }
    let address = try await ExportMyData.archive(of: member.key, in: member.family, at: now, services)
    server.log("has exported the data of an account.", subject: member.key)
    return Response(
      id: services.cipher.text(of: member.key),
      name: member.name,
      file: "exports/\(address.name).zip",
      expiresAt: Date(milliseconds: address.expiresAt)
    )
  }
}
