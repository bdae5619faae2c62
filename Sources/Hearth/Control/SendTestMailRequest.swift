import Foundation

/// `hearth mail test`: sends a mail at once, past the queue, and reports what the mail server says.
package struct SendTestMailRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let from: String
    /// A folder or the URL of a server, without credentials.
    package let destination: String
  }

  package static let words = "mail test"

  package let address: String

  package init(address: String) { self.address = address }

  func run(on server: ControlledServer) async throws -> Response {
    guard let recipient = EmailAddress(address) else { throw CommandFailure("\(address) is not an e-mail address.") }
    let configuration = server.services.configuration
    let (composer, now) = (server.composer, server.now)
    let message = try await server.read { reader in try composer.testMessage(to: recipient, at: now, from: reader) }
    do {
      try await server.mail.sendTest(message)
    } catch let failure as MailFailure {
      let reason = failure.reply.map { "the mail server replied: \($0)" } ?? "\(failure)"
      throw CommandFailure("The mail could not be sent: \(reason)")
    }
    server.log("has sent a test mail.")
    return Response(
      from: composer.sender.address,
      destination: MailDestination(configuration.mail, in: server.directory).name
    )
  }
}
