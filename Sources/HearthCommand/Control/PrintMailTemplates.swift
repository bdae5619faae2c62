import ArgumentParser
import Hearth

extension MailLanguage: ExpressibleByArgument {}

struct PrintMailTemplates: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "templates",
    abstract: "Prints the texts of mails in a language, as a basis for HEARTH_MAIL_TEMPLATES."
  )

  @Argument(help: "The language: en, de, fr or es.")
  var language: MailLanguage

  func run() throws {
    try StandardOutput.write(MailTemplates.text(in: language).utf8)
  }
}
