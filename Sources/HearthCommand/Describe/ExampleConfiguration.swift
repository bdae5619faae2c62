import Hearth

/// A configuration file that lists every setting, all of them commented out.
struct ExampleConfiguration {
  let text: String

  init() {
    let head = """
      # The settings of hearth(1), one NAME=value a line. Those that are commented out have their defaults.

      """
    // The file cannot name itself.
    let settings = ServerSetting.all.filter { !$0.variables.isEmpty && $0.option != "config" }
    text = head + settings.map { "\n" + Self.entry(for: $0) }.joined()
  }

  private static func entry(for setting: ServerSetting) -> String {
    "# \(setting.help)\n" + setting.variables.map { "#\($0)=\(setting.standardValue ?? "")\n" }.joined()
  }
}
