import FamilyApp
import Foundation

/// `family-terminal` shows the family, `family-terminal follow` waits for changes.
@main
struct FamilyTerminal {
  @MainActor static func main() async throws {
    let address = ProcessInfo.processInfo.environment["HEARTH"] ?? "http://127.0.0.1:8080/graphql"
    guard let endpoint = URL(string: address) else { return }
    let model = FamilyModel(endpoint: endpoint)
    try await model.signIn(email: "ada@example.com", password: "not hers")
    print(model.message)
    try await model.signIn(email: "ada@example.com", password: "hearth-demo")

    if CommandLine.arguments.dropFirst() == ["follow"] {
      await model.attempt {
        try await model.follow { change in
          print(change)
          fflush(nil)
        }
      }
      return print(model.message)
    }

    try await model.load()
    guard let mia = model.children.first, let first = mia.assignedChores.nodes.first?.choreLine else { return }
    print(mia.name, mia.points, first.name)
    try await model.addChore(" ", for: mia)
    print(model.message)
    try await model.addChore("Bake bread", for: mia)
    try await model.finish(first, by: mia, points: 3)

    try await model.load()
    guard let after = model.children.first else { return }
    print(after.name, after.points, after.assignedChores.nodes.contains { $0.choreLine.name == "Bake bread" })
  }
}
