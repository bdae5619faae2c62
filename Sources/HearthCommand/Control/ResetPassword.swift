import ArgumentParser
import Hearth

struct ResetPassword: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset-password",
    abstract: "Sends an account a link to choose a new password.",
    discussion: "The password and the sessions remain valid until the link is used, which ends all sessions."
  )

  @Argument(help: AccountCommand.accountHelp)
  var account: String

  @Flag(help: "Prints the link instead of sending it. Anyone who has it can take over the account within an hour.")
  var show = false

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ResetPasswordRequest(account: account, isShown: show)) { response in
      guard let link = response.link, let expiry = response.expiresAt else {
        return "A link to choose a new password is sent to \(response.email)."
      }
      return "Until \(expiry.text), \(response.email) can choose a new password at:\n\(link)"
    }
  }
}
