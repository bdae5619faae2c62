import Foundation

/// `hearth mail test`: sends a mail at once, past the queue, and reports what the mail server says.
package struct MailTest: OperatorCommand, ServedCommand {
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
    let sender = Mailbox(name: "Hearth", address: configuration.mailSender)
    let message = Message(
      identifier: Secrets.random(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
      date: server.now,
      from: sender,
      to: Mailbox(name: nil, address: recipient.text),
      letter: .test
    )
    server.log("has sent a test mail.")
    do {
      try await server.mail.sendTest(message)
    } catch let failure as MailFailure {
      throw CommandFailure("The mail could not be sent: \(failure)")
    }
    let folder = server.directory + "/outbox"
    return Response(
      from: sender.address,
      destination: (configuration.mail ?? .folder(folder)).name
    )
  }
}
