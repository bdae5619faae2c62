import ArgumentParser
import Hearth

struct FamilyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "family",
    abstract: "Works with the families of the running server.",
    subcommands: [ShowFamily.self]
  )
}

struct ShowFamily: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a family and its members.")

  @Argument(help: "The id of a family, or a member: an e-mail address, an id, or a child's username.")
  var family: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(FamilyDetails(family: family)) { family in
      let lines = TextTable.text([
        "ID": family.id, "Name": family.name, "Time zone": family.timeZone, "Registered": family.createdAt.text,
        "Chores": "\(family.chores)", "Items": "\(family.items)",
      ])
      let parents = family.parents.map { parent in
        [parent.id, parent.name, parent.email, parent.deactivatedAt.map { "deactivated \($0.text)" } ?? "active"]
      }
      let children = family.children.map { [$0.id, $0.name, $0.username, "\($0.points)"] }
      return [
        lines, TextTable.text(["PARENT", "NAME", "E-MAIL", "STATE"], rows: parents),
        children.isEmpty ? "No children." : TextTable.text(["CHILD", "NAME", "USERNAME", "POINTS"], rows: children),
      ].joined(separator: "\n\n")
    }
  }
}
