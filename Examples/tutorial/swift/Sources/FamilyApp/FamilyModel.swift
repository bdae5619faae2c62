import FamilyAPI
import Foundation
import HearthClient
import Observation

/// What the views show, and what they do.
@MainActor @Observable
public final class FamilyModel {
  public private(set) var isSignedIn = false
  public private(set) var familyName = ""
  public private(set) var children: [ChildCard] = []
  /// The newest change, what a form has wrong, or why something failed.
  public private(set) var message = ""

  private let client: HearthClient
  /// The number of sign-ins.
  public private(set) var signIns = 0
  /// Events are missing, or the user belongs to another family now.
  private static let startsAgain: Set = ["FEED_GAP", "RIGHTS_CHANGED", "EVENTS_TOO_FAST"]

  public init(endpoint: URL) { client = HearthClient(endpoint: endpoint) }

  public func signIn(email: String, password: String) async throws {
    let payload = try await client.perform(SignInMutation(input: .init(email: email, password: password))).signIn
    message = payload.userErrors.map(\.message).joined(separator: " ")
    guard let credentials = payload.credentials else { return }
    signIns += 1
    await client.use(Credentials(accessToken: credentials.accessToken, refreshToken: credentials.refreshToken))
    isSignedIn = true
  }

  /// Another client has signed in, and has stored this. Views show nothing of the previous member.
  public func signIn(with stored: Credentials) async {
    signIns += 1
    (isSignedIn, familyName, children) = (false, "", [])
    await client.use(stored)
    isSignedIn = true
  }

  public func load() async throws {
    guard let family = try await client.fetch(LoadFamilyQuery()).family?.familyCard else { return }
    familyName = family.name
    children = family.children.map(\.childCard)
  }

  public func addChore(_ name: String, for child: ChildCard) async throws {
    let input = AddChoreInput(name: name, assigneeIds: .value([child.id.rawValue]))
    let payload = try await client.perform(AddChoreMutation(input: input)).addChore
    message = payload.userErrors.map(\.message).joined(separator: " ")
  }

  public func finish(_ chore: ChoreLine, by child: ChildCard, points: Int) async throws {
    let input = AssignPointsInput(childId: child.id, chores: [.init(choreId: chore.id, points: points)])
    let payload = try await client.perform(AssignPointsMutation(input: input)).assignPoints
    message = payload.userErrors.map(\.message).joined(separator: " ")
  }

  /// Shows the family and its changes for as long as its task runs, over lost connections and restarts of the server.
  public func follow(onChange: (String) -> Void = { _ in }) async throws {
    while !Task.isCancelled {
      try await reload()
      do {
        for try await data in client.subscribe(to: FamilyChangedSubscription()) {
          switch data.familyChanged {
          case .choreChanged(let event): message = "\(event.chore.name): \(event.chore.status.rawValue)"
          case .pointsAssigned(let event): message = "\(event.child.name) has \(event.child.points) points"
          default: message = "Something changed."
          }
          onChange(message)
          try await reload()
        }
      } catch let error as HearthError where !Self.startsAgain.isDisjoint(with: error.codes) {
        // Load everything, and follow from now on.
      }
    }
  }

  /// Does what a view asks for. Shows why it failed, and the sign-in form if the session has ended. After another
  /// sign-in, the session that has ended is not the current one.
  public func attempt(_ action: @MainActor () async throws -> Void) async {
    let own = signIns
    do {
      try await action()
    } catch HearthError.signedOut where own == signIns {
      await client.use(nil)
      (isSignedIn, familyName, children) = (false, "", [])
      message = "The session has ended: sign in again."
    } catch HearthError.unreachable {
      message = "The server cannot be reached."
    } catch {
      // A cancelled task is that of a view that has disappeared.
      if !Task.isCancelled { message = error.localizedDescription }
    }
  }

  /// Loads as soon as the server can be reached and is available.
  private func reload() async throws {
    while true {
      do {
        return try await load()
      } catch let error as HearthError where error.isTemporary {
        try await Task.sleep(for: .seconds(1))
      }
    }
  }
}
