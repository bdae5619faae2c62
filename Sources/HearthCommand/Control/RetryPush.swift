import ArgumentParser
import Hearth

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
