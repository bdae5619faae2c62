import ArgumentParser

struct Account: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Works with the accounts of the running server.",
    subcommands: [
      ListAccounts.self, ShowAccount.self, ExportAccount.self, DeleteAccount.self, ReactivateAccount.self,
      ResetPassword.self, SignOutAccount.self,
    ]
  )

  static let name: ArgumentHelp = "An e-mail address or an id."
  static let nameOfAnybody: ArgumentHelp = "An e-mail address, an id, or a child's username."
}
