import ArgumentParser
import Hearth

struct ListAccounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists accounts of adults in the order of their registration."
  )

  @Argument(help: "Only accounts with this text in the name or the e-mail address.")
  var search: String?

  @Option(help: "The maximum number of accounts, at most 1000.")
  var limit = 50

  @Option(help: ArgumentHelp("Continues after this account.", valueName: "id"))
  var after: String?

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard AccountList.possibleLimits.contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
  }

  func run() throws {
    try options.send(AccountList(search: search, after: after, limit: limit)) { list in
      guard !list.accounts.isEmpty else { return "There are no such accounts." }
      let rows = list.accounts.map { account in
        [
          account.id, account.name, account.email + (account.isEmailVerified ? "" : " (not verified)"), account.family,
          account.createdAt.text, account.deactivatedAt.map { "deactivated \($0.text)" } ?? "active",
        ]
      }
      let table = TextTable.text(["ID", "NAME", "E-MAIL", "FAMILY", "REGISTERED", "STATE"], rows: rows)
      return table + (list.next.map { "\nThere are more: --after \($0)" } ?? "")
    }
  }
}
