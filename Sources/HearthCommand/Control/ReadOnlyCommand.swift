import ArgumentParser
import Hearth

struct ReadOnlyCommand: ParsableCommand {
  enum Mode: String, ExpressibleByArgument, CaseIterable {
    case on, off

    var isOn: Bool {
      switch self {
      case .on: true
      case .off: false
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "read-only",
    abstract: "Makes the running server reject mutations, or accept them again.",
    discussion: """
      Queries and subscriptions go on. The mode lasts until the server ends; HEARTH_READ_ONLY sets it for the next start.
      """
  )

  @Argument(help: "on or off.")
  var mode: Mode

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ReadOnlyRequest(isOn: mode.isOn)) {
      $0.isReadOnly ? "The server is read-only." : "The server accepts mutations."
    }
  }
}
