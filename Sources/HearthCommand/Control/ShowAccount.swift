import ArgumentParser
import Hearth

struct ShowAccount: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the account of an adult or a child, and its sessions."
  )

  @Argument(help: AccountCommand.memberHelp)
  var account: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ShowAccountRequest(account: account)) { account in
      let lines = TextTable.text([
        "ID": account.id,
        "Name": account.name,
        "E-mail": account.email.map { AccountCell.email($0, isVerified: account.isEmailVerified == true) },
        "Username": account.username,
        "Phone": account.phone,
        "Signs in with": account.signInMethods.map { $0.isEmpty ? "nothing" : $0.joined(separator: ", ") },
        "Contacts": account.contacts.map { "\($0)" },
        "Family": "\(account.familyName) (\(account.family))",
        "Registered": account.createdAt.text,
        "State": AccountCell.state(deactivatedAt: account.deactivatedAt, eraseAt: account.eraseAt),
      ])
      guard !account.sessions.isEmpty else { return lines + "\n\nNo sessions." }
      let sessions = account.sessions.map { session in
        [session.id, session.device ?? "–", session.createdAt.text, session.lastUsedAt.text, session.expiresAt.text]
      }
      return lines + "\n\n" + TextTable.text(["SESSION", "DEVICE", "BEGUN", "LAST USED", "EXPIRES"], rows: sessions)
    }
  }
}
