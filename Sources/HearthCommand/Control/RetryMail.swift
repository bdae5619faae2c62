import ArgumentParser
import Hearth

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
