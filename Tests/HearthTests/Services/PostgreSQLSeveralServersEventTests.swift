import Storage
import TestSupport
import Testing

@testable import Hearth

/// Subscriptions whose events come from other servers on the same PostgreSQL database.
@Suite(
  "Events of several servers on one database",
  .enabled(if: PostgreSQLCluster.isInstalled, "Scripts/install-postgresql installs PostgreSQL."),
  .timeLimit(.minutes(5))
)
struct PostgreSQLSeveralServersEventTests {
  private static let items = "subscription { familyChanged { ... on ItemChanged { item { name } } } }"
  private static let due = "subscription { reminderDue { id status } }"
  private static let received = "subscription { notificationReceived { __typename } }"

  private static func add(_ names: some Sequence<String>, _ clients: [Client]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (index, name) in names.enumerated() {
        group.addTask {
          let added = try await clients[index % clients.count]
            .perform(Documents.addItem, ["input": ["name": .string(name)]])
          #expect(added["item.name"] == .string(name), "\(added)")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Expects the events of items, each once and in the order of consecutive positions, and returns the last position.
  private static func expect(_ names: [String], at listener: Listener, of server: TestServer) async throws -> String {
    var (received, positions, last): ([String], [Int64], String) = ([], [], "")
    for _ in names {
      let event = try await listener.next()
      received.append(try #require(event["data.familyChanged.item.name"].string))
      last = try #require(event["extensions.position"].string)
      positions.append(try #require(server.services.cipher.position(of: last)))
    }
    #expect(received.sorted() == names.sorted())
    #expect(positions == Array((positions.first ?? 0)..<(positions.first ?? 0) + Int64(names.count)))
    return last
  }

  /// Ends the connections by which servers send and receive hints.
  private static func loseHints(of server: TestServer) async throws {
    let name = try await ServerDatabases.name(forFolder: server.directory.path)
    try await PostgreSQLCluster.shared().execute(
      """
      SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
      WHERE datname = '\(name)' AND pid <> pg_backend_pid()
      AND (query LIKE '%LISTEN hearth_hint%' OR query LIKE '%pg_notify(''hearth_hint''%')
      """
    )
  }

  @Test(arguments: [DatabaseHints.notify, .poll])
  func `arrive in order, each once, from all servers, and are resumed at another server`(hints: DatabaseHints)
    async throws
  {
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = hints }) { servers in
      let ada = try await Household(on: servers[0])
      let clients = servers.map { ada.parent.at($0) }
      var listeners: [Listener] = []
      for (server, client) in zip(servers, clients) {
        listeners.append(try await Listener.open(server.port, client, Self.items).listening())
      }
      let start = try #require(listeners[1].position)
      let names = (0..<40).map { "Item \($0)" }
      try await Self.add(names, clients)
      var last: [String] = []
      for (server, listener) in zip(servers, listeners) {
        last.append(try await Self.expect(names, at: listener, of: server))
      }
      #expect(last[0] == last[1])
      // A client that goes on at the other server, from any position.
      let moved = try await Listener.open(servers[0].port, ada.parent, Self.items, after: start)
      _ = try await Self.expect(names, at: moved, of: servers[0])
      let more = (0..<5).map { "More \($0)" }
      try await Self.add(more, [clients[1]])
      for (server, listener) in zip(servers, listeners) {
        _ = try await Self.expect(more, at: listener, of: server)
      }
      _ = try await Self.expect(more, at: moved, of: servers[0])
    }
  }

  @Test func `of an account arrive at the other server`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let document = "subscription { accountChanged { ... on AccountChanged { viewer { ... on Account { theme } } } } }"
      let listener = try await Listener.open(servers[1].port, ada.parent.at(servers[1]), document).listening()
      for theme: Value in ["OCEAN", "FOREST"] {
        _ = try await ada.parent.perform(Documents.updateAccount, ["input": ["theme": theme]])
        #expect(try await listener.next()["data.accountChanged.viewer.theme"] == theme)
      }
    }
  }

  @Test func `are not lost with the messages between the servers`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let clients = servers.map { ada.parent.at($0) }
      let listener = try await Listener.open(servers[1].port, clients[1], Self.items).listening()
      for round in 0..<4 {
        let names = (0..<10).map { "Item \(round) \($0)" }
        async let added: Void = Self.add(names, [clients[0]])
        try await Self.loseHints(of: servers[0])
        try await added
        _ = try await Self.expect(names, at: listener, of: servers[1])
      }
    }
  }

  @Test func `that are no longer kept are a gap at every server`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let start = try #require(
        try await Listener.open(servers[0].port, ada.parent, Self.items).listening().position
      )
      try await Self.add(["Milk", "Bread"], [ada.parent])
      let name = try await ServerDatabases.name(forFolder: servers[0].directory.path)
      try await PostgreSQLCluster.shared().execute("DELETE FROM family_event", in: name)
      for server in servers {
        let late = try await Listener.open(server.port, ada.parent.at(server), Self.items, after: start)
        #expect(try await late.rejection() == "FEED_GAP")
      }
    }
  }

  @Test func `reminders and notifications arrive at both servers, each once`() async throws {
    try await TestServer.runSeveral(2) { servers in
      let ada = try await Household(on: servers[0])
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let chore = try await ada.addChore("Feed the cat")
      let ids = [
        try await ada.setReminder(of: chore, at: "2026-11-21T08:00:10Z"),
        try await ada.setReminder(of: chore, at: "2026-11-21T08:00:20Z"),
      ]
      var (reminders, notifications): ([Listener], [Listener]) = ([], [])
      for server in servers {
        let client = ada.parent.at(server)
        reminders.append(try await Listener.open(server.port, client, Self.due).listening())
        notifications.append(try await Listener.open(server.port, client, Self.received).listening())
      }
      let childs = try await Listener.open(servers[1].port, child.at(servers[1]), Self.due).listening()
      for id in ids {
        servers[0].clock.advance(seconds: 10)
        for listener in reminders { #expect(try await listener.next()["data.reminderDue.id"] == .string(id)) }
        for listener in notifications {
          #expect(try await listener.next()["data.notificationReceived.__typename"] == "ReminderNotification")
        }
      }
      // A child to whom the chore is assigned later gets both without positions, at the other server too.
      let input: Value = ["input": ["id": .string(chore), "assigneeIds": Value([mia])]]
      #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
      for id in ids { #expect(try await childs.next()["data.reminderDue.id"] == .string(id)) }
      for listener in reminders + notifications { _ = try await listener.listening() }
    }
  }

  @Test func `a due reminder that is assigned to another child arrives at both servers once`() async throws {
    // With polling, a server reads the reminder and its assignment together if it did not write them.
    try await TestServer.runSeveral(2, configure: { $0.databaseHints = .poll }) { servers in
      let ada = try await Household(on: servers[0])
      let mia = try await ada.addChild("Mia", username: "mia")
      let ben = try await ada.addChild("Ben", username: "ben")
      let child = try await ada.signIn("ben")
      let parent = try await Listener.open(servers[0].port, ada.parent, Self.due).listening()
      var listeners: [Listener] = []
      for server in servers {
        listeners.append(try await Listener.open(server.port, child.at(server), Self.due).listening())
      }
      // A second event of a reminder would come before that of the next one.
      for round in 1...3 {
        let chore = try await ada.addChore("Chore \(round)", for: [mia])
        let reminder = try await ada.setReminder(of: chore, at: "2026-11-21T08:0\(round):00Z")
        servers[0].clock.advance(seconds: 60)
        #expect(try await parent.next()["data.reminderDue.id"] == .string(reminder))
        let input: Value = ["input": ["id": .string(chore), "assigneeIds": Value([ben])]]
        #expect(try await ada.parent.perform(Documents.updateChore, input).userErrors == [])
        for listener in listeners { #expect(try await listener.next()["data.reminderDue.id"] == .string(reminder)) }
      }
    }
  }

  @Test func `an idle server with subscribers sends the database at most two statements a second`() async throws {
    for hints in DatabaseHints.allCases {
      try await TestServer.runSeveral(1, configure: { $0.databaseHints = hints }) { servers in
        let server = servers[0]
        let ada = try await Household(on: server)
        let listener = try await Listener.open(server.port, ada.parent, Self.items).listening()
        _ = try await ada.parent.perform(Documents.addItem, ["input": ["name": "Milk"]])
        _ = try await listener.next()
        func count() -> Int {
          let statistics = server.services.database.postgreSQLStatistics
          return statistics.statements + statistics.hintMessages
        }
        // At first the server deletes what has expired, and looks for what other servers write now.
        // The suite's time limit ends a server that is never idle.
        var last: (count: Int, limit: Int)
        repeat {
          // Statements in a time are counted: there is no event to wait for.
          let (before, start) = (count(), ContinuousClock.now)
          try await Task.sleep(for: .seconds(10))
          let sent = count() - before
          let seconds = (ContinuousClock.now - start) / .seconds(1)
          // Each timer can also fire once more than its share of the time.
          last = (sent, Int(2 * seconds) + 4)
          // Still subscribed.
          _ = try await listener.listening()
        } while last.count > last.limit
      }
    }
  }
}
