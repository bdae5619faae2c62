import ArgumentParser
import Hearth

struct DeleteAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Deactivates an adult or removes a child, and erases them after thirty days.",
    discussion: """
      Until then the adult can return by signing in, or the parents can restore the child; hearth account reactivate \
      brings either back. The family keeps its chores, points and items, without the person.
      """
  )

  @Argument(help: AccountCommand.memberHelp)
  var account: String

  @Flag(help: "Erases at once. This cannot be undone.")
  var now = false

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(DeleteAccountRequest(account: account, immediately: now)) { response in
      now
        ? "\(response.name) (\(response.id)) is being erased."
        : "\(response.name) (\(response.id)) is deleted, and is erased on \(response.eraseAt.text)."
    }
  }
}
