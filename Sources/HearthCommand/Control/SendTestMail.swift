import ArgumentParser
import Hearth

struct SendTestMail: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Sends a test mail at once, and reports what the mail server says."
  )

  @Argument(help: "The recipient's e-mail address.")
  var address: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(SendTestMailRequest(address: address)) {
      "The mail from \($0.from) was accepted by \($0.destination)."
    }
  }
}
