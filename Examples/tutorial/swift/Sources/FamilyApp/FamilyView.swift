#if canImport(SwiftUI)
  import FamilyAPI
  import SwiftUI

  public struct FamilyView: View {
    @State private var model: FamilyModel
    @State private var email = ""
    @State private var password = ""

    public init(endpoint: URL) { _model = State(initialValue: FamilyModel(endpoint: endpoint)) }

    public var body: some View {
      NavigationStack {
        List {
          if !model.isSignedIn { signIn }
          ForEach(model.children, id: \.id) { child in ChildSection(model: model, child: child) }
          Text(model.message)
        }
        .navigationTitle(model.familyName)
      }
      .task(id: model.isSignedIn ? model.signIns : 0) {
        guard model.isSignedIn else { return }
        await model.attempt { try await model.follow() }
      }
    }

    private var signIn: some View {
      Section {
        TextField("E-mail", text: $email)
        SecureField("Password", text: $password)
        Button("Sign in") {
          Task { await model.attempt { try await model.signIn(email: email, password: password) } }
        }
      }
    }
  }

  struct ChildSection: View {
    let model: FamilyModel
    let child: ChildCard
    @State private var name = ""

    var body: some View {
      Section("\(child.name): \(child.points) points") {
        ForEach(child.assignedChores.nodes.map(\.choreLine), id: \.id) { chore in
          Button("\(chore.name) ✓") {
            Task { await model.attempt { try await model.finish(chore, by: child, points: 1) } }
          }
        }
        TextField("A new chore", text: $name)
          .onSubmit { Task { await model.attempt { try await model.addChore(name, for: child) } } }
      }
    }
  }
#endif
