import ArgumentParser
import Hearth

struct ShowPushQueue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Lists notifications that wait, are tried again later, or have failed."
  )

  @Option(help: "The maximum number of notifications of each channel, at most \(ListLimit.range.upperBound).")
  var limit = 50

  @OptionGroup var options: ControlOptions

  func validate() throws { try ListLimit.range.validate(limit, ofOption: "limit") }

  func run() throws {
    try options.send(ShowPushQueueRequest(limit: limit)) { queue in
      let channels = queue.channels.map { channel in
        let counts: [Int?] = [channel.waiting, channel.failed, channel.sent, channel.failedAttempts]
        let pause = channel.pausedUntil.map { "until \($0.text)" } ?? "–"
        return [channel.channel] + counts.map { $0?.description ?? "–" } + [pause, channel.lastFailure ?? "–"]
      }
      let head = ["CHANNEL", "WAITING", "FAILED", "SENT", "FAILED ATTEMPTS", "PAUSED", "LAST ERROR"]
      let text = TextTable.text(head, rows: channels)
      guard !queue.pushes.isEmpty else { return text }
      let rows = queue.pushes.map { push in
        [
          "\(push.number)", push.channel, push.type, push.state.rawValue, push.member, push.device ?? "–",
          "\(push.attempts)", push.createdAt.text, (push.failedAt ?? push.nextAttemptAt)?.text ?? "–",
          push.failure ?? "–",
        ]
      }
      let columns = [
        "NUMBER", "CHANNEL", "TYPE", "STATE", "MEMBER", "DEVICE", "ATTEMPTS", "QUEUED", "NEXT ATTEMPT OR FAILURE",
        "ERROR",
      ]
      return text + "\n\n" + TextTable.text(columns, rows: rows)
    }
  }
}
