import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Export of personal data")
struct ExportTests {
  static let export = """
    mutation ($child: ID) { exportMyData(childId: $child) { url expiresAt \(Documents.errors) } }
    """

  /// Columns in which the walk finds a person, and which no export has. All others must be in it.
  static let excluded: [String: String] = [
    "account.email_key": "The address in lower case.",
    "account.id": "The same key as `person.id`.",
    "person.name_key": "The name as a sort key.",
    "contact.name_key": "The name as a sort key.",
    "group_member.name_key": "The name as a sort key.",
    "contact.person_id": "It is in the address books of others.",
    "search_entry.words": "Words of the name and the profile.",
    "search_entry.id": "The key of the entry is that of the person.",
    "search_index_data.block": "The same words, as an index.",
    "search_word.id": "The key of the person, in the index of the same words on PostgreSQL.",
    "search_word.word": "The same words, as an index on PostgreSQL.",
    "session.opened_by": "Its own sessions; those of children are the children's.",
    "contact_rejection.from_id": "Others have rejected a request without saying so.",
    "group_exclusion.person_id": "A decision of the group's admins, which is not shown.",
    "group_member.invited_by": "It is about the people who were invited.",
    "notification.actor_id": "It is in the notifications of others.",
    "notification.subject_id": "It is in the notifications of others.",
    "family_invitation.email_key": "The address in lower case.",
    "family_event.family_id": "The key of the account in its own events, which are kept for a week.",
    "family_event.subject_id": "A key in the feed, which is kept for a week.",
    "family_feed.family_id": "The key of the account, with the number of those events.",
    "partition_change.key": "A key, which is kept for an hour.",
    "idempotent_write.person_id": "Kept for a day, to answer repeated requests.",
    "idempotent_write.outcome": "A response that the person has received.",
    "one_time_token.subject_id": "A secret that was mailed.",
    "push.recipient_id": "A notification that is on its way to a device.",
    "family.name": "An address book of the walk, not of the family.",
    "person_group.created_by": "It is in the list of groups.",
    "file hearth.db": "The database.",
  ]

  /// The list of the export that has a column, if that is not named after the table.
  static let lists: [String: String] = [
    "account": "account", "person": "account", "contact_info": "contactInfo", "contact": "contacts",
    "contact_request": "contactRequests", "group_member": "groups", "group_join_request": "groupJoinRequests",
    "device": "devices", "notification_setting": "notificationSettings", "notification": "notifications",
    "session": "sessions", "mail": "mails", "family_invitation": "familyInvitations",
    "chore": "chores", "assignment": "chores", "item": "items", "point_entry": "pointEntries",
  ]

  /// The archive as Python's `urllib` and `zipfile` read it: the names of its files, and `data.json`.
  static func read(_ outcome: Outcome) async throws -> (names: [String], data: Value) {
    try await read(at: try #require(outcome["url"].string, "\(outcome)"))
  }

  private static func read(at url: String) async throws -> (names: [String], data: Value) {
    let program = """
      import io, json, sys, urllib.request, zipfile
      answer = urllib.request.urlopen(sys.argv[1])
      assert answer.headers['content-type'] == 'application/zip' and answer.headers['cache-control'] == 'no-store'
      archive = zipfile.ZipFile(io.BytesIO(answer.read()))
      assert archive.testzip() is None
      print(json.dumps([archive.namelist(), json.loads(archive.read('data.json'))]))
      """
    let output = try await PythonScript.run(code: program, [url])
    try #require(output.status == 0, "\(output.output)")
    let read = try Value(Array(output.output.utf8))
    return (read["0"].strings, read["1"])
  }

  static func path(_ outcome: Outcome) throws -> String {
    String(try #require(outcome["url"].string, "\(outcome)").drop { $0 != "/" }.dropFirst(2).drop { $0 != "/" })
  }

  @Test func `a caller whose session has ended meanwhile gets no archive, and nothing of what follows`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (hasBegun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
      let worker = server.services.exports.worker
      let holding = Task {
        try await worker.run {
          hasBegun.open()
          mayEnd.wait()
        }
      }
      await hasBegun.pass()
      let thief = ada.parent.another
      let document = """
        mutation { first: exportMyData { url } second: exportMyData { url } \
        markNotificationsRead { account { name } } }
        """
      let request = Task { try await thief.post(document).json }
      while worker.waitingCount == 0 { await Task.yield() }
      _ = try await ada.parent.perform(Documents.signOut, [:])
      mayEnd.signal()
      try await holding.value
      let answer = try await request.value
      #expect(answer["data"] == .null)
      #expect(answer["errors"].each("extensions.code") == ["TOKEN_REVOKED"], "\(answer)")
    }
  }

  @Test func `every location that the walk finds is in the export, or is excluded for a reason`() async throws {
    try await TestServer.run { server in
      let story = try await ErasureStory(on: server)
      let locations = try await story.walk(server, keys: try story.keys(server))
      let outcome = try await story.leaver.parent.perform(Self.export)
      #expect(outcome.userErrors == [])
      let (names, data) = try await Self.read(outcome)
      for location in locations.sorted() where Self.excluded[location] == nil {
        let table = String(location.prefix { $0 != "." })
        let list = try #require(Self.lists[table], "\(location) is neither exported nor excluded")
        #expect(!data[list].list.isEmpty, "\(location)")
      }
      let account = data["account.0"]
      #expect(account["name"] == "Xanthippe Zwiebelturm" && account["email"] == "xanthippe@zwiebel.example")
      #expect(account["hometown"] == "Zwiebelstadt" && account["highSchools"] == ["Zwiebel High"])
      #expect(account["id"] == .string(story.leaver.personID))
      #expect(data["sessions"].each("device").contains("Xanthippe's phone"))
      #expect(data["contacts"].each("name") == ["Friend One"])
      #expect(data["contactRequests"].each("message").contains("Xanthippe here"))
      #expect(data["contactInfo"].each("value").contains("work@zwiebel.example"))
      #expect(data["devices"].each("name") == ["Zwiebel phone"])
      #expect(data["devices"].each("address") == ["https://push.invalid/of-xanthippe"])
      #expect(data["notificationSettings"].each("quietFromMinute") == [1_320])
      #expect(data["items"].each("name").contains("Tent"))
      #expect(data["chores"].each("name").contains("Water the plants"))
      // The avatar, the photo of an item and the picture of a chore.
      #expect(names.filter { $0.hasPrefix("pictures/") }.count == 3)
      #expect(names.contains(try #require(account["avatar"].string)))
      let secrets = try server.rows("SELECT length(password_hash) FROM account LIMIT 1", columns: 1)
      #expect(secrets != [[0]] && !data.text.contains("passwordHash"))
    }
  }

  @Test func `a parent exports a child's data, and nobody else does`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let contract = try await ada.makeContract(with: mia, levels: [(2, "Ice cream")])
      _ = try await ada.assign([(try await ada.addChore("Feed the cat", for: [mia]), 3)], to: mia)
      let redeeming: Value = ["input": ["contractId": .string(contract), "level": 1]]
      #expect(try await child.perform(Documents.redeemReward, redeeming).userErrors == [])
      let variables: Value = ["child": .string(mia)]
      let outcome = try await ada.parent.perform(Self.export, variables)
      let (_, data) = try await Self.read(outcome)
      #expect(data["child"].each("username") == ["mia"])
      #expect(data["rewardLevels"].each("award") == ["Ice cream"])
      #expect(data["rewardLevels"].each("redeemedById") == [.string(mia)])
      #expect(data["rewardLevels"].each("redeemedAt") == ["2026-11-21T08:00:00.000Z"])
      #expect(data["sessions"].each("createdAt") == ["2026-11-21T08:00:00.000Z"])
      #expect(data["finishedChores"].each("points") == [3])
      #expect(data["chores"].each("name") == ["Feed the cat"])
      #expect(data["account"] == .null)
      #expect(try await child.perform(Self.export, variables).codes == ["FORBIDDEN"])
      #expect(try await server.visitor.perform(Self.export).codes == ["UNAUTHENTICATED"])
      let eve = try await Household(on: server, email: "eve@example.com")
      #expect(try await eve.parent.perform(Self.export, variables).userErrors == ["childId NOT_FOUND"])
    }
  }

  @Test func `a URL works for an hour, cannot be changed, and its file is deleted`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Self.export)
      #expect(outcome["expiresAt"] == "2026-11-21T09:00:00Z")
      let path = try Self.path(outcome)
      let folder = server.directory.path + "/exports"
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
      let forged = path.replacing("1795251600000", with: "1995251600000")
      #expect(forged != path)
      for other in [forged, "/export/x/y.zip", "/export/1995251600000-x/y.zip", "/export/", path + "x"] {
        #expect(try await server.http.get(other).status == 404, "\(other)")
      }
      server.clock.advance(seconds: 3_600)
      #expect(try await server.http.get(path).status == 404)
      while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty { await Task.yield() }
    }
  }

  @Test func `a URL works after a restart, until it expires`() async throws {
    let directory = try TemporaryDirectory()
    let (clock, folder) = (TestClock(), directory.path + "/exports")
    var path = ""
    var exported = Value.null
    try await TestServer.run(in: directory, clock: clock) { server in
      let ada = try await Household(on: server)
      let outcome = try await ada.parent.perform(Self.export)
      path = try Self.path(outcome)
      exported = try await Self.read(outcome).data
    }
    try await TestServer.run(in: directory, clock: clock) { server in
      #expect(server.services.exports.removeExpired(at: 1_795_248_000_000) == 1_795_251_600_000)
      #expect(try await Self.read(at: "http://127.0.0.1:\(server.port)\(path)").data == exported)
      clock.advance(seconds: 3_600)
      #expect(try await server.http.get(path).status == 404)
      while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty { await Task.yield() }
    }
  }

  @Test func `exports are limited, and the start deletes expired and unfinished archives`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/exports"
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      for _ in 0..<5 { #expect(try await ada.parent.perform(Self.export).userErrors == []) }
      #expect(try await ada.parent.perform(Self.export).codes == ["RATE_LIMITED"])
    }
    // Each has replaced the one before.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    // As a process leaves one that is killed while it writes it.
    #expect(FileManager.default.createFile(atPath: folder + "/1995251600000-x.unfinished", contents: nil))
    try await TestServer.run(in: directory, startingLater: 3_600) { _ async throws in
      while try !FileManager.default.contentsOfDirectory(atPath: folder).isEmpty { await Task.yield() }
    }
  }
}
