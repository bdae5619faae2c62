import ArgumentParser
import Hearth

struct ShowMailQueue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Lists mails that wait, are tried again later, or have failed."
  )

  @Option(help: "The maximum number of mails of each state, at most \(ListLimit.range.upperBound).")
  var limit = 50

  @OptionGroup var options: ControlOptions

  func validate() throws { try ListLimit.range.validate(limit, ofOption: "limit") }

  func run() throws {
    try options.send(ShowMailQueueRequest(limit: limit)) { queue in
      let counts = Status.text(of: queue.counts) + (queue.counts.lastFailure.map { "\nLast error: \($0)" } ?? "")
      guard !queue.mails.isEmpty else { return counts }
      let rows = queue.mails.map { mail in
        [
          "\(mail.number)", mail.kind, mail.state.rawValue, mail.recipient ?? mail.account ?? "–", "\(mail.attempts)",
          mail.createdAt.text, (mail.nextAttemptAt ?? mail.failedAt)?.text ?? "–",
        ]
      }
      let head = ["MAIL", "KIND", "STATE", "RECIPIENT", "ATTEMPTS", "QUEUED", "NEXT ATTEMPT OR FAILURE"]
      return counts + "\n\n" + TextTable.text(head, rows: rows)
    }
  }
}
