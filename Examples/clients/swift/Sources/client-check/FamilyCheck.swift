import FamilyOperations
import Foundation
import HearthClient

enum FamilyCheck {
  static func run(_ endpoint: URL, picture: URL) async throws {
    let client = HearthClient(endpoint: endpoint)
    try await signIn(client)
    try await dashboard(client)
    let chore = try await absentAndNull(client)
    try await enumsAndOneOf(client)
    try await upload(client, picture, chore: chore)
    try await renewal(client, picture)
    try await signedOut(endpoint)
  }

  private static func signIn(_ client: HearthClient) async throws {
    let wrong = try await client.perform(SignInMutation(input: .init(email: "ada@example.com", password: "not hers")))
    try expect(wrong.signIn.credentials == nil && !wrong.signIn.userErrors.isEmpty, wrong)

    let right = try await client.perform(
      SignInMutation(input: .init(email: "ada@example.com", password: "hearth-demo"))
    )
    let credentials = try expectSome(right.signIn.credentials)
    // Tokens of this check are good for a second, which may be over.
    try expect(abs(credentials.expiresAt.timeIntervalSinceNow) < 600, credentials.expiresAt)
    await client.use(Credentials(accessToken: credentials.accessToken, refreshToken: credentials.refreshToken))
    guard case .account(let account) = try await client.fetch(ViewerQuery()).viewer else {
      throw CheckFailure("Ada is an account")
    }
    try expect(account.email == "ada@example.com" && account.member.name.hasPrefix("Ada"), account)
  }

  private static func dashboard(_ client: HearthClient) async throws {
    let family = try expectSome(try await client.fetch(DashboardQuery()).family)
    try expect(family.children.map(\.member.name) == ["Mia", "Ben", "Zoë"], family.children)
    try expect(family.children.allSatisfy { $0.avatar == nil && $0.dateOfBirth != nil })
    let one = try await client.fetch(DashboardQuery(chores: 1, withAvatars: true))
    let mia = try expectSome(one.family?.children.first)
    try expect(mia.avatar != nil && mia.assignedChores.nodes.map(\.choreLine.name) == ["Feed the cat"], mia)
  }

  /// What is left out of an update stays, what is null goes.
  private static func absentAndNull(_ client: HearthClient) async throws -> ChoreID {
    let due = Date(timeIntervalSince1970: 4_000_000_000.5)
    let added = try await client.perform(
      AddChoreMutation(
        input: .init(name: "Sweep", notes: "The \"stairs\"\\ 🧹", dueAt: .value(due), frequency: .value(.once))
      )
    )
    let chore = try expectSome(added.addChore.chore?.choreLine)
    try expect(chore.notes == "The \"stairs\"\\ 🧹" && chore.priority == 5 && chore.frequency == .once, chore)
    try expect(abs(try expectSome(chore.dueAt).timeIntervalSince(due)) < 1, chore)
    let renamed = try await client.perform(
      UpdateChoreMutation(input: .init(id: chore.id, name: "Sweep well", dueAt: .null))
    )
    let after = try expectSome(renamed.updateChore.chore?.choreLine)
    try expect(after.name == "Sweep well" && after.notes == chore.notes && after.dueAt == nil, after)
    return chore.id
  }

  private static func enumsAndOneOf(_ client: HearthClient) async throws {
    let day = try expectSome(LocalDate("2018-05-01"))
    let child = try await client.perform(
      AddChildMutation(input: .init(name: "Ada junior", birth: .dateOfBirth(day), gender: .value(.other)))
    )
    try expect(child.addChild.child?.dateOfBirth == day && child.addChild.child?.gender == .other, child)
    let baby = try await client.perform(AddChildMutation(input: .init(name: "Baby", birth: .age(0))))
    try expect(baby.addChild.child?.age == 0, baby)

    // This server rejects a value that only a newer client knows, and the client reports the error's code.
    do {
      let input = AddChildInput(name: "Baby", birth: .age(0), gender: .value(.unknown("NEW")))
      _ = try await client.perform(AddChildMutation(input: input))
      throw CheckFailure("was accepted")
    } catch let error as HearthError {
      try expect(error.codes == ["BAD_USER_INPUT"], error)
      try expect(error.localizedDescription.hasPrefix("BAD_USER_INPUT: "), error.localizedDescription)
    }
  }

  private static func upload(_ client: HearthClient, _ picture: URL, chore: ChoreID) async throws {
    let file = UploadFile(name: "ten\"t.jpg", contentType: "image/jpeg", bytes: try Data(contentsOf: picture))
    let added = try await client.perform(AddItemMutation(input: .init(name: "Tent", photo: .value(file))))
    let item = try expectSome(added.addItem.item)
    try expect(item.photo.url.contains("/media/") && item.photo.width > 0, added)
    guard case .item(let thing) = try await client.fetch(ThingQuery(id: item.id.rawValue)).node else {
      throw CheckFailure("no item")
    }
    try expect(thing.id == item.id && thing.name == "Tent" && thing.photo.url == item.photo.url, thing)
    guard case .chore(let line) = try await client.fetch(ThingQuery(id: chore.rawValue)).node else {
      throw CheckFailure("no chore")
    }
    try expect(line.choreLine.name == "Sweep well", line)
    guard case .account(let account) = try await client.fetch(ViewerQuery()).viewer else {
      throw CheckFailure("no account")
    }
    guard case .other(let other) = try await client.fetch(ThingQuery(id: account.id.rawValue)).node else {
      throw CheckFailure("an account is neither item nor chore")
    }
    try expect(other.id == NodeID(account.id), other)
  }

  /// The server of this check gives access tokens for a second: all these find it expired at once, and the refresh token,
  /// which works once, is used once.
  private static func renewal(_ client: HearthClient, _ picture: URL) async throws {
    let before = try expectSome(await client.credentials)
    try await Task.sleep(for: .seconds(2))
    try await withThrowingTaskGroup { group in
      for _ in 0..<20 { group.addTask { try await client.fetch(ViewerQuery()) } }
      for try await data in group { try expect(data.viewer != nil) }
    }
    let after = try expectSome(await client.credentials)
    try expect(after.refreshToken != before.refreshToken && after.accessToken != before.accessToken)
    // The server reads a file of this size only with a valid token.
    try await Task.sleep(for: .seconds(2))
    let bytes = try Data(contentsOf: picture) + Data(count: 70_000)
    let photo = UploadFile(name: "large.jpg", contentType: "image/jpeg", bytes: bytes)
    let added = try await client.perform(AddItemMutation(input: .init(name: "Large", photo: .value(photo))))
    try expect(added.addItem.item != nil, added)
  }

  private static func signedOut(_ endpoint: URL) async throws {
    let credentials = Credentials(accessToken: "nonsense", refreshToken: "nonsense")
    do {
      _ = try await HearthClient(endpoint: endpoint, credentials: credentials).fetch(DashboardQuery())
      throw CheckFailure("nobody was let in")
    } catch let error as HearthError {
      guard case .signedOut = error, error.codes == ["TOKEN_MALFORMED"] else { throw error }
    }
    // It cancels itself: from outside, the answer might be the quicker one.
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await HearthClient(endpoint: endpoint).fetch(ViewerQuery())
    }
    do {
      _ = try await cancelled.value
      throw CheckFailure("it was cancelled")
    } catch let error as HearthError {
      try expect(error.isCancellation, error)
    }
    let nowhere = try expectSome(URL(string: "http://127.0.0.1:1/graphql"))
    do {
      _ = try await HearthClient(endpoint: nowhere).fetch(ViewerQuery())
      throw CheckFailure("nobody is there")
    } catch let error as HearthError {
      guard case .unreachable = error, !error.isCancellation else { throw error }
      try expect(error.localizedDescription.hasPrefix("The server could not be reached"), error.localizedDescription)
    }
  }
}
