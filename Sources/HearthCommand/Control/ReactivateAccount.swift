import ArgumentParser
import Hearth

struct ReactivateAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reactivate",
    abstract: "Reactivates a deactivated account, or restores a deleted child before it is erased.",
    discussion: "Contacts, groups and avatar were deleted before, and are not restored."
  )

  @Argument(help: AccountCommand.memberHelp)
  var account: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ReactivateAccountRequest(account: account)) {
      "The account of \($0.name) (\($0.id)) is active again."
    }
  }
}
