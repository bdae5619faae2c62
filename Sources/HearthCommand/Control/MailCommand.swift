import ArgumentParser
import Hearth

struct MailCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "mail",
    abstract: "Works with the mail of the running server, and with the texts of mails.",
    subcommands: [SendTestMail.self, ShowMailQueue.self, RetryMail.self, PrintMailTemplates.self]
  )
}

struct SendTestMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Sends a test mail at once, and reports what the mail server says."
  )

  @Argument(help: "The recipient's e-mail address.")
  var address: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(MailTest(address: address)) { "The mail from \($0.from) was accepted by \($0.destination)." }
  }
}

struct ShowMailQueue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Lists mails that wait, are tried again later, or have failed."
  )

  @Option(help: "The maximum number of mails of each state, at most 1000.")
  var limit = 50

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard MailOverview.possibleLimits.contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
  }

  func run() throws {
    try options.send(MailOverview(limit: limit)) { queue in
      let counts = Status.text(of: queue.counts) + (queue.counts.lastFailure.map { "\nLast error: \($0)" } ?? "")
      guard !queue.mails.isEmpty else { return counts }
      let rows = queue.mails.map { mail in
        [
          "\(mail.number)", mail.kind, mail.state, mail.recipient ?? mail.account ?? "–", "\(mail.attempts)",
          mail.createdAt.text, (mail.nextAttemptAt ?? mail.failedAt)?.text ?? "–",
        ]
      }
      let head = ["MAIL", "KIND", "STATE", "RECIPIENT", "ATTEMPTS", "QUEUED", "NEXT ATTEMPT OR FAILURE"]
      return counts + "\n\n" + TextTable.text(head, rows: rows)
    }
  }
}

struct RetryMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends mails now that would be tried again later, or one that has failed."
  )

  @Argument(help: "The number of a mail; by default all that would be tried again later.")
  var number: Int?

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(MailRetry(number: number)) {
      $0.mails == 1 ? "1 mail is sent now." : "\($0.mails) mails are sent now."
    }
  }
}
