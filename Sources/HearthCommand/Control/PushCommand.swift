import ArgumentParser

struct PushCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push",
    abstract: "Works with the notifications that the running server sends to devices and to the webhook.",
    subcommands: [ShowPushQueue.self, RetryPush.self]
  )
}
