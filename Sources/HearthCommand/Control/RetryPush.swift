import ArgumentParser
import Hearth

struct RetryPush: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends notifications now that would be tried again later, or that have failed."
  )

  @OptionGroup var retry: RetryOptions
  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(RetryPushRequest(number: retry.number, failed: retry.failed)) {
      $0.pushes == 1 ? "1 notification is sent now." : "\($0.pushes) notifications are sent now."
    }
  }
}
