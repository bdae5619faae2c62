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
    try options.send(ReactivateAccountRequest(account: account)) { response in
      response.isActive != false
        ? "The account of \(response.name) (\(response.id)) is active again."
        : "\(response.name) (\(response.id)) is not erased any more, but stays removed from the family."
    }
  }
}
