import ArgumentParser
import Hearth

struct RetryMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Sends mails now that would be tried again later, or that have failed."
  )

  @OptionGroup var retry: RetryOptions
  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(RetryMailRequest(number: retry.number, failed: retry.failed)) {
      $0.mails == 1 ? "1 mail is sent now." : "\($0.mails) mails are sent now."
    }
  }
}
