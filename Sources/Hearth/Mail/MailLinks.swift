/// A page that a link in a mail leads to: of the app, or of Hearth itself. The raw value is its path.
enum AccountPage: String, CaseIterable, Sendable {
  case verifyEmail = "verify-email"
  case resetPassword = "reset-password"
  case confirmEmail = "confirm-email"
  case acceptInvitation = "accept-invitation"
  case register = "register"
  /// Always of Hearth, because mail programs send requests to it too.
  case stopInvitations = "stop-invitations"
}

/// The addresses of links in mails.
struct MailLinks: Sendable {
  /// The URL of the app, or of Hearth itself, without a slash at its end.
  let baseURL: String

  /// The language of the mail is a parameter, so that the page has the same.
  func text(_ page: AccountPage, token: String? = nil, in language: MailLanguage) -> String {
    let parameters =
      (language == .english ? [] : ["lang=\(language.rawValue)"]) + (token.map { ["token=\($0)"] } ?? [])
    let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
    return "\(baseURL)/\(page.rawValue)\(query)"
  }
}
