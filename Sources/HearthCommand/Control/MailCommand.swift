import ArgumentParser

struct MailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail",
    abstract: "Works with the mail of the running server, and with the texts of mails.",
    subcommands: [SendTestMail.self, ShowMailQueue.self, RetryMail.self, PrintMailTemplates.self]
  )
}
