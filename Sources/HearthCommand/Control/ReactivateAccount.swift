import ArgumentParser
import Hearth

struct ReactivateAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reactivate",
    abstract: "Reactivates a deactivated account.",
    discussion: "Its contacts, groups and avatar were deleted when it was deactivated, and are not restored."
  )

  @Argument(help: Account.name)
  var account: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(AccountReactivation(account: account)) { "The account of \($0.name) (\($0.id)) is active again." }
  }
}
