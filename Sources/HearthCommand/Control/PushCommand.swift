import ArgumentParser
import Hearth

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Works with the notifications that the running server sends to devices and to the webhook.",
    subcommands: [ShowPushQueue.self, RetryPush.self]
  )
}

struct ShowPushQueue: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "queue",
    abstract: "Lists notifications that wait, are tried again later, or have failed."
  )

  @Option(help: "The maximum number of notifications of each channel, at most 1000.")
  var limit = 50

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard PushOverview.possibleLimits.contains(limit) else { throw ValidationError("--limit must be from 1 to 1000.") }
  }

  func run() throws {
    try options.send(PushOverview(limit: limit)) { queue in
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
          "\(push.number)", push.channel, push.type, push.state, push.member, push.device ?? "–", "\(push.attempts)",
          push.createdAt.text, (push.failedAt ?? push.nextAttemptAt)?.text ?? "–", push.failure ?? "–",
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

struct RetryPush: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends notifications now that would be tried again later, or that have failed."
  )

  @Argument(help: "The number of a notification; by default all that would be tried again later.")
  var number: Int?

  @Flag(help: "Sends all that have failed.")
  var failed = false

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard number == nil || !failed else { throw ValidationError("Give either a number or --failed.") }
  }

  func run() throws {
    try options.send(PushRetry(number: number, failed: failed)) {
      $0.pushes == 1 ? "1 notification is sent now." : "\($0.pushes) notifications are sent now."
    }
  }
}
