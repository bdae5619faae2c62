import ArgumentParser
import Hearth

/// The manual page hearth(1), in the macros of man(7).
struct ManualPage {
  let text: String

  init(of tool: CommandDescription) {
    var lines = [
      #".TH HEARTH 1 "" "hearth \#(HearthVersion.current)" "User Commands""#,
      ".SH NAME",
      "\(tool.commandName) \\- \(Self.escaped(tool.abstract ?? ""))",
      ".SH SYNOPSIS",
      ".B \(tool.commandName)",
      ".I command",
      ".RI [ options ]",
      ".SH COMMANDS",
    ]
    for (words, command) in tool.runnable() { lines += Self.section(words, command: command) }
    lines += [
      ".SH ENVIRONMENT", ".B hearth serve", "reads these variables.", Self.escaped(Serve.settingsRule),
    ]
    for setting in ServerSetting.all where !setting.variables.isEmpty {
      lines += [
        ".TP", ".B \(setting.variables.map(Self.escaped).joined(separator: ", "))", Self.escaped(setting.help),
      ]
    }
    lines += Self.end
    text = lines.joined(separator: "\n") + "\n"
  }

  private static let end = [
    ".SH FILES",
    ".TP", ".I /etc/hearth.conf", "The settings of the service that the Debian package installs.",
    ".TP", ".I /var/lib/hearth", "The data of that service.",
    ".SH EXIT STATUS",
    ".TP", "0", "Success. The server ends with it on SIGTERM, SIGINT and SIGHUP.",
    ".TP", "1", "The command failed: a setting is wrong, for example, or \"hearth check\" found damage.",
    ".TP", "\(Backup.incompleteStatus)",
    "The backup was made, but is not complete: \"hearth backup\" reports what is missing or damaged.",
    ".TP", "64", "The command line is wrong.",
  ]

  private static func section(_ words: [String], command: CommandDescription) -> [String] {
    let arguments = (command.arguments ?? []).filter { $0.shouldDisplay && !isGeneral($0) }
    let synopsis = words + arguments.map(synopsis)
    var lines = [".SS \(escaped(synopsis.joined(separator: " ")))", escaped(command.abstract ?? "")]
    // The settings that serve's help lists have a section of their own.
    if let discussion = command.discussion, command.commandName != Serve._commandName {
      lines += [".PP", escaped(discussion)]
    }
    for argument in arguments {
      let help = [argument.abstract, argument.defaultValue.map { "(default: \($0))" }].compactMap { $0 }
      lines += [".TP", heading(of: argument), escaped(help.joined(separator: " "))]
    }
    return lines
  }

  /// Whether every command has it.
  private static func isGeneral(_ argument: CommandDescription.Argument) -> Bool {
    ["help", "version"].contains(argument.valueName)
  }

  private static func synopsis(_ argument: CommandDescription.Argument) -> String {
    var text = [argument.names?.last?.spelling, value(of: argument)].compactMap { $0 }.joined(separator: " ")
    if argument.isRepeating { text += " ..." }
    return argument.isOptional ? "[\(text)]" : text
  }

  private static func heading(of argument: CommandDescription.Argument) -> String {
    let names = (argument.names ?? []).map { escaped($0.spelling) }.joined(separator: ", ")
    let value = value(of: argument).map(escaped)
    return names.isEmpty ? ".I \(value ?? "")" : value.map { #".BI "\#(names) " \#($0)"# } ?? ".B \(names)"
  }

  /// The name of what stands behind an option or as an argument.
  private static func value(of argument: CommandDescription.Argument) -> String? {
    argument.kind == "flag" ? nil : argument.valueName
  }

  /// Hyphens are escaped because a bare one may be set as a typographic hyphen, which cannot be pasted into a shell. A
  /// line that begins with a period or an apostrophe would be a macro.
  static func escaped(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
    return escaped.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.hasPrefix(".") || $0.hasPrefix("'") ? "\\&" + $0 : String($0) }.joined(separator: "\n")
  }
}
