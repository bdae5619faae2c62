import ArgumentParser
import Hearth

struct ListAccounts: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists accounts of adults in the order of their registration."
  )

  @Argument(help: "Only accounts with this text in the name or the e-mail address.")
  var search: String?

  @Option(help: "The maximum number of accounts, at most \(ListLimit.range.upperBound).")
  var limit = 50

  @Option(help: ArgumentHelp("Continues after this account.", valueName: "id"))
  var after: String?

  @OptionGroup var options: ControlOptions

  func validate() throws { try ListLimit.range.validate(limit, ofOption: "limit") }

  func run() throws {
    try options.send(ListAccountsRequest(search: search, after: after, limit: limit)) { list in
      guard !list.accounts.isEmpty else { return "There are no such accounts." }
      let rows = list.accounts.map { account in
        [
          account.id, account.name, AccountCell.email(account.email, isVerified: account.isEmailVerified),
          account.family, account.createdAt.text, AccountCell.state(deactivatedAt: account.deactivatedAt),
        ]
      }
      let table = TextTable.text(["ID", "NAME", "E-MAIL", "FAMILY", "REGISTERED", "STATE"], rows: rows)
      return table + (list.next.map { "\nThere are more: --after \($0)" } ?? "")
    }
  }
}
