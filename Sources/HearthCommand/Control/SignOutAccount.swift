import ArgumentParser
import Hearth

struct SignOutAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign-out",
    abstract: "Ends all sessions of an account.",
    discussion: "For an adult, sessions of children that were opened with the account end too."
  )

  @Argument(help: AccountCommand.memberHelp)
  var account: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(SignOutAccountRequest(account: account)) { "\($0.name) (\($0.id)) is signed out everywhere." }
  }
}
