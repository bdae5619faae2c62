import FamilyApp
import Foundation

/// A second parent signs in to the app of `Examples/tutorial/swift` before the first one's mutation has failed. The
/// server is that of `tutorial_next_member.py`, which says when it responds.
@main
struct NextMember {
  @MainActor static func main() async throws {
    guard let endpoint = URL(string: CommandLine.arguments[1]) else { return }
    let model = FamilyModel(endpoint: endpoint)
    try await model.signIn(email: "first", password: "")
    try await model.load()
    guard let child = model.children.first else { return }
    let mutation = Task { await model.attempt { try await model.addChore("Bake bread", for: child) } }
    await model.attempt { try await model.load() }
    print(model.isSignedIn, model.message)

    try await model.signIn(email: "second", password: "")
    try await model.load()
    await mutation.value
    print(model.isSignedIn, model.familyName, model.message)
    try await model.load()
  }
}
