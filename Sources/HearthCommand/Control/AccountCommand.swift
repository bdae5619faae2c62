import ArgumentParser

struct AccountCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "account",
    abstract: "Works with the accounts of the running server.",
    subcommands: [
      ListAccounts.self, ShowAccount.self, ExportAccount.self, DeleteAccount.self, ReactivateAccount.self,
      ResetPassword.self, SignOutAccount.self,
    ]
  )

  static let accountHelp: ArgumentHelp = "An e-mail address or an id."
  static let memberHelp: ArgumentHelp = "An e-mail address, an id, or a child's username."
}
