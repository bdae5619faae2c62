import Testing

/// A family that has registered, and its parent's app.
struct Household: Sendable {
  static let password = "correct horse battery"

  let email: String
  let parent: Client
  let refreshToken: String
  let familyID: String
  let accountID: String
  let personID: String

  init(on server: TestServer, email: String = "ada@example.com", name: String = "Ada Lovelace") async throws {
    try await self.init(port: server.port, email: email, name: name)
  }

  init(port: Int, email: String = "ada@example.com", name: String = "Ada Lovelace") async throws {
    let visitor = Client(port: port)
    let outcome = try await visitor.perform(
      Documents.register,
      ["input": Self.form(email).setting("name", .string(name))]
    )
    let credentials = outcome["credentials"]
    self.email = email
    let token: String = try #require(credentials["accessToken"].string, "\(outcome)")
    parent = visitor.with(token: token)
    refreshToken = try #require(credentials["refreshToken"].string)
    familyID = try #require(credentials["viewer.family.id"].string)
    accountID = try #require(credentials["viewer.id"].string)
    personID = try #require(credentials["viewer.person.id"].string)
  }

  /// A registration with nothing wrong in it.
  static func form(_ email: String) -> Value {
    ["email": .string(email), "password": .string(password), "name": "Ada Lovelace", "dateOfBirth": "1988-12-10"]
  }

  // MARK: Its life

  func addChild(_ name: String, username: String? = nil) async throws -> String {
    var input: Value = ["name": .string(name), "birth": ["age": 8]]
    if let username { input = input.setting("username", .string(username)) }
    let outcome = try await parent.perform(Documents.addChild, ["input": input])
    return try #require(outcome["child.id"].string, "\(outcome)")
  }

  func addChore(
    _ name: String = "Feed the cat",
    priority: Int? = nil,
    dueAt: String? = nil,
    for assignees: [String] = []
  ) async throws -> String {
    var input: Value = ["name": .string(name), "assigneeIds": Value(assignees)]
    if let priority { input = input.setting("priority", .number(Double(priority))) }
    if let dueAt { input = input.setting("dueAt", .string(dueAt)) }
    let outcome = try await parent.perform(Documents.addChore, ["input": input])
    return try #require(outcome["chore.id"].string, "\(outcome)")
  }

  func makeContract(with child: String, maxPoints: Int = 10, levels: [(Int, String)] = []) async throws -> String {
    let levels = levels.map { points, award -> Value in ["points": .number(Double(points)), "award": .string(award)] }
    let outcome = try await parent.perform(
      Documents.makeContract,
      ["input": ["childId": .string(child), "maxPoints": .number(Double(maxPoints)), "levels": .array(levels)]]
    )
    return try #require(outcome["contract.id"].string, "\(outcome)")
  }

  func addItem(_ name: String = "Tent") async throws -> String {
    let outcome = try await parent.perform(Documents.addItem, ["input": ["name": .string(name)]])
    return try #require(outcome["item.id"].string, "\(outcome)")
  }

  func setReminder(of chore: String, at time: String) async throws -> String {
    let outcome = try await parent.perform(
      Documents.setReminder,
      ["input": ["choreId": .string(chore), "remindAt": .string(time)]]
    )
    return try #require(outcome["reminder.id"].string, "\(outcome)")
  }

  func assign(_ points: [(String, Int)], to child: String, again: Bool = false) async throws -> Outcome {
    try await parent.perform(Documents.assignPoints, Self.points(points, to: child, again: again))
  }

  static func points(_ points: [(String, Int)], to child: String, again: Bool = false) -> Value {
    let chores = points.map { chore, points -> Value in
      let award: Value = ["choreId": .string(chore), "points": .number(Double(points))]
      return again ? award.setting("again", true) : award
    }
    return ["input": ["childId": .string(child), "chores": .array(chores)]]
  }

  /// A child's app.
  func signIn(_ username: String) async throws -> Client {
    let outcome = try await parent.with(token: nil).perform(
      Documents.signInChild,
      ["input": ["username": .string(username), "password": .string(Self.password)]]
    )
    let token: String = try #require(outcome["credentials.accessToken"].string, "\(outcome)")
    return Client(port: parent.http.port, token: token)
  }

  /// All that a mutation could change, to be compared before and after.
  func everything() async throws -> Value {
    try await parent.ask(
      """
      { family { id name timeZone parents { id name }
        children { id name username points achievementPoints contract { id }
          contracts { nodes { id active points levels { level points award } } }
          finishedChores { nodes { id points chore { id } } }
          assignedChores { nodes { id } } }
        chores(first: 100) { totalCount nodes { id name status updatedAt assignees { id } } }
        items(first: 100) { totalCount nodes { id name } }
        reminders(first: 100) { totalCount nodes { id remindAt status } } } }
      """
    )
  }
}
