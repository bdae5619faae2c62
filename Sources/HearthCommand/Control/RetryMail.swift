import ArgumentParser
import Hearth

struct RetryMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends mails now that would be tried again later, or that have failed."
  )

  @Argument(help: "The number of a mail; by default all that would be tried again later.")
  var number: Int?

  @Flag(help: "Sends all that have failed.")
  var failed = false

  @OptionGroup var options: ControlOptions

  func validate() throws {
    guard number == nil || !failed else { throw ValidationError("Give either a number or --failed.") }
  }

  func run() throws {
    try options.send(MailRetry(number: number, failed: failed)) {
      $0.mails == 1 ? "1 mail is sent now." : "\($0.mails) mails are sent now."
    }
  }
}
