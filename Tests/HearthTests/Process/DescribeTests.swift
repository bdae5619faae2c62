import Foundation
import TestSupport
import Testing

@testable import Hearth
@testable import HearthCommand

@Suite("hearth describe")
struct DescribeTests {
  @Test func `the manual page has every command, option and variable`() async throws {
    let result = try await Program.run("describe", "manual")
    #expect(result.status == 0 && result.errors.isEmpty)
    #expect(result.output.hasPrefix(#".TH HEARTH 1 "" "hearth \#(HearthVersion.current)" "User Commands""# + "\n"))
    let page = result.output.replacing("\\-", with: "-")
    let commands = try CommandDescription(of: HearthCommand.self).runnable()
    #expect(commands.count >= 7)
    for (words, command) in commands {
      let section = try #require(page.split(separator: "\n.SS ").first { $0.hasPrefix(words.joined(separator: " ")) })
      for argument in command.arguments ?? [] where argument.valueName != "help" && argument.valueName != "version" {
        for name in argument.names ?? [] { #expect(section.contains(name.spelling), "\(words)") }
      }
    }
    for setting in ServerSetting.all { for variable in setting.variables { #expect(page.contains(variable)) } }
  }

  @Test func `the manual page has the exit status of an incomplete backup`() throws {
    let page = ManualPage(of: try CommandDescription(of: HearthCommand.self)).text
    #expect(page.contains("\n.TP\n2\nThe backup was made, but is not complete"))
    #expect(page.contains("The exit status is 2 if the backup was made"))
  }

  @Test func `the manual page has no line that is taken for a macro`() {
    #expect(ManualPage.escaped("a-b\\\n.TH\n'x\nplain") == "a\\-b\\e\n\\&.TH\n\\&'x\nplain")
  }

  @Test func `the example configuration lists every setting, and each of its values is accepted`() async throws {
    let result = try await Program.run("describe", "configuration")
    #expect(result.status == 0 && result.errors.isEmpty)
    let directory = try TemporaryDirectory()
    try result.output.write(toFile: directory.path + "/hearth.conf", atomically: false, encoding: .utf8)
    #expect(try ConfigurationFile(path: directory.path + "/hearth.conf").variables == [:])

    let values = result.output.split(separator: "\n").compactMap { $0.wholeMatch(of: /#(HEARTH_[A-Z_]+=.*)/)?.1 }
    try values.joined(separator: "\n").write(
      toFile: directory.path + "/hearth.conf",
      atomically: false,
      encoding: .utf8
    )
    let variables = try ConfigurationFile(path: directory.path + "/hearth.conf").variables
    #expect(Set(variables.keys) == Set(ServerSetting.all.flatMap(\.variables)).subtracting(["HEARTH_CONFIG"]))
    #expect(variables.values.filter { !$0.isEmpty }.count > 20)
    // An empty list means something else than no list here.
    #expect(variables["HEARTH_REGISTRATION_REQUIRES"] == "name,dateOfBirth")
    let check = try await Program.run("config", "check", "--config", directory.path + "/hearth.conf")
    #expect(check.status == 0, "\(check.errors)")
  }

  @Test func `the version is that of the change log's newest section`() async throws {
    let log = try String(contentsOf: Checkout.root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let newest = try #require(log.firstMatch(of: /\n## (\d+\.\d+\.\d+)/)).1
    #expect(HearthVersion.current == newest)
    #expect(try await Program.run("--version").output == "\(newest)\n")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `completions are generated for each shell`(shell: String) async throws {
    let result = try await Program.run("--generate-completion-script", shell)
    #expect(result.status == 0)
    for word in ["backup", "accept-lost-log", "sdl"] { #expect(result.output.contains(word), "\(shell): \(word)") }
  }
}
