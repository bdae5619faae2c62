import ArgumentParser
import Hearth

struct ShowFamily: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows a family and its members.")

  @Argument(help: "The id of a family, or a member: an e-mail address, an id, or a child's username.")
  var family: String

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(ShowFamilyRequest(family: family)) { family in
      let lines = TextTable.text([
        "ID": family.id, "Name": family.name, "Time zone": family.timeZone, "Registered": family.createdAt.text,
        "Chores": "\(family.chores)", "Items": "\(family.items)",
      ])
      let parents = family.parents.map { parent in
        [parent.id, parent.name, parent.email, AccountCell.state(deactivatedAt: parent.deactivatedAt)]
      }
      let children = family.children.map { child in
        let state = AccountCell.state(deactivatedAt: nil, eraseAt: child.eraseAt)
        return [child.id, child.name, child.username, "\(child.points)", state]
      }
      let head = ["CHILD", "NAME", "USERNAME", "POINTS", "STATE"]
      return [
        lines, TextTable.text(["PARENT", "NAME", "E-MAIL", "STATE"], rows: parents),
        children.isEmpty ? "No children." : TextTable.text(head, rows: children),
      ].joined(separator: "\n\n")
    }
  }
}
