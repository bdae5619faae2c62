import Testing

/// Actions of people with their address books.
extension Household {
  init(_ name: String, on server: TestServer) async throws {
    let email = name.lowercased().replacing(" ", with: ".") + "@example.com"
    try await self.init(on: server, email: email, name: name)
  }

  /// Sends a contact request; returns its id.
  func request(_ other: Household, offering scopes: [String] = []) async throws -> String {
    let outcome = try await parent.perform(
      Documents.requestContact,
      ["id": .string(other.personID), "offer": Value(scopes)]
    )
    return try #require(outcome["contactRequest.id"].string, "\(outcome)")
  }

  /// In a new session, for when the old one has ended.
  func signedInAgain(on server: TestServer) async throws -> Household {
    let outcome = try await server.visitor.perform(Documents.signIn, A02SignInTests.input(email, Household.password))
    let token = try #require(outcome["credentials.accessToken"].string, "\(outcome)")
    return Household(self, parent: parent.with(token: token))
  }

  /// Makes somebody a contact with their consent; returns the id of the contact in the caller's address book.
  @discardableResult
  func befriend(
    _ other: Household,
    sharing scopes: [String] = [],
    for theirs: [String] = []
  ) async throws -> String {
    let request = try await other.request(self, offering: theirs)
    let outcome = try await parent.perform(
      Documents.acceptContact,
      ["id": .string(request), "share": Value(scopes)]
    )
    return try #require(outcome["contact.id"].string, "\(outcome)")
  }

  @discardableResult
  func addInfo(_ scope: String, _ info: Value, label: String? = nil, primary: Bool = false) async throws -> Value {
    let outcome = try await parent.perform(
      Documents.addContactInfo,
      [
        "scope": .string(scope), "info": info, "label": label.map(Value.string) ?? nil,
        "primary": .boolean(primary),
      ]
    )
    try #require(outcome["contactInfo.id"].string != nil, "\(outcome)")
    return outcome["contactInfo"]
  }

  /// The names in the address book, in its order.
  func book(_ query: String? = nil) async throws -> [String] {
    let answer = try await parent.ask(Documents.contacts, ["query": query.map(Value.string) ?? nil])
    let contacts = answer["data.viewer.contacts"]
    #expect(contacts["totalCount"].int == contacts["nodes"].list.count)
    return contacts["nodes"].each("person.name").compactMap(\.string)
  }

  func requests(_ direction: String = "INCOMING") async throws -> Value {
    try await parent.ask(Documents.requests, ["direction": .string(direction)])["data.viewer.contactRequests"]
  }

  /// The messages, the newest first.
  func news() async throws -> [String] {
    let answer = try await parent.ask(Documents.notifications)
    return answer["data.viewer.notifications.nodes"].each("message").compactMap(\.string)
  }

  /// Another as this one sees them.
  func sees(_ other: Household) async throws -> Value {
    try await parent.ask(Documents.personByID, ["id": .string(other.personID)])["data.node"]
  }

  /// All that this one's contact book is.
  func contactBook() async throws -> Value {
    let answer = try await parent.ask(
      """
      { viewer { ... on Account { contacts(first: 100) { totalCount nodes { \(Documents.contact) } }
        incoming: contactRequests(first: 100) { totalCount nodes { \(Documents.request) } }
        outgoing: contactRequests(direction: OUTGOING, first: 100) { totalCount nodes { \(Documents.request) } }
        notifications(first: 100) { totalCount nodes { id readAt message } } unreadNotificationCount
        person { \(Documents.person) } } } }
      """
    )
    #expect(answer["errors"] == .null)
    return answer["data.viewer"]
  }
}

/// Browning Duncan, as the address book's own documents have him.
struct BrowningDuncan {
  let household: Household

  init(on server: TestServer) async throws {
    household = try await Household("Browning Duncan", on: server)
    _ = try await household.parent.perform(
      Documents.updateProfile,
      [
        "input": [
          "company": "Ziore", "colleges": ["duis University"], "highSchools": ["cupidatat High School"],
          "hometown": "Amherst",
        ]
      ]
    )
    try await household.addInfo("PERSONAL", ["phone": ["number": "+1 (810) 504-2733"]], label: "Cell")
    try await household.addInfo(
      "PERSONAL",
      ["phone": ["number": "(879) 556-3403", "countryCode": "+1"]],
      label: "Home"
    )
    try await household.addInfo("WORK", ["phone": ["number": "8825362083", "countryCode": "US"]], label: "Work")
    try await household.addInfo(
      "PERSONAL",
      ["address": Self.address("835 Guider Avenue", "Wells", "New Jersey", "3827")]
    )
    try await household.addInfo("WORK", ["address": Self.address("181 Gunninson Court", "Rivera", "Utah", "4105")])
  }

  private static func address(_ line: String, _ city: String, _ region: String, _ code: String) -> Value {
    ["line1": .string(line), "city": .string(city), "region": .string(region), "postalCode": .string(code)]
  }

  /// The contact details that a caller sees.
  static func shown(_ person: Value) -> [String] {
    person["contactInfo"].list.map { info in
      let text = info["phone.formatted"].string ?? info["address.formatted"].string ?? info["email"].string ?? ""
      return "\(info["scope"].string ?? "") \(text)"
    }
  }

  static let workDetails = [
    "WORK +1 882-536-2083", "WORK 181 Gunninson Court, Rivera, Utah, 4105",
  ]
  static let personalDetails = [
    "PERSONAL +1 810-504-2733", "PERSONAL +1 879-556-3403", "PERSONAL 835 Guider Avenue, Wells, New Jersey, 3827",
  ]
}
