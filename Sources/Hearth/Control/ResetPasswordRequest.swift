import Foundation
import Storage

/// `hearth account reset-password`: sends the account a link to choose a new password, or returns the link. The
/// password and the sessions stay as they are until the link is used.
package struct ResetPasswordRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let email: String
    /// Nil if the link is sent by mail.
    package let link: String?
    package let expiresAt: Date?
  }

  package static let words = "account reset-password"

  package let account: String
  /// Whether to return the link instead of sending it.
  package let isShown: Bool

  package init(account: String, isShown: Bool) {
    self.account = account
    self.isShown = isShown
  }

  func run(on server: ControlledServer) async throws -> Response {
    let (services, account, isShown) = (server.services, account, isShown)
    let links = server.composer.links
    let (member, email, token) = try await server.write { write in
      let member = try FoundMember.findAdult(account, cipher: services.cipher, from: write.reader)
      guard !member.isDeactivated, let email = member.email, let address = EmailAddress(email) else {
        throw CommandFailure("The account is deactivated: reactivate it first.")
      }
      if isShown {
        let token = try OneTimeToken.issue(.passwordReset, for: member.key, in: write)
        return (member, email, Optional(token))
      }
      let lane = services.mail.lane(network: nil, sender: .mailbox(address.mailboxKey))
      // With the person: see `MailComposer.passwordReset`.
      try services.mail.append(.passwordReset, person: member.key, address: address, lane: lane, in: write)
      return (member, email, nil)
    }
    server.log(
      isShown ? "has created a link to reset a password." : "has sent a link to reset a password.",
      subject: member.key
    )
    return Response(
      email: email,
      link: token.map { links.text(.resetPassword, token: $0.text, in: .english) },
      expiresAt: token.map { Date(milliseconds: $0.expiresAt) }
    )
  }
}
