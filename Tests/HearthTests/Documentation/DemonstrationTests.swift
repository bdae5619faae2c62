import Testing

@testable import Hearth

@Suite("The demo data")
struct DemonstrationTests {
  /// Everything that Ada's app could show, and the data that must exist.
  private static let document = """
    { viewer { ... on Account { emailVerified identities { provider } unreadNotificationCount
        contacts { nodes { sharing sharedWithViewer person { contactInfo { kind } } } }
        incoming: contactRequests { totalCount } outgoing: contactRequests(direction: OUTGOING) { totalCount }
        groups { nodes { viewerRole } } notifications { nodes { __typename readAt } }
        person { hometown company colleges contactInfo { kind scope } } } }
      family { parents { name } items { nodes { photo { placeholder } } } reminders { nodes { status } }
        children { points prizeLevel { award } contracts { nodes { active } } finishedChores { totalCount } }
        chores(first: 100) { nodes { status frequency period copiedFrom { id } image { placeholder }
          assignees { __typename } } } }
      search(query: "Amherst") { nodes { __typename } } }
    """

  @Test func `show something of everything`() async throws {
    try await TestServer.run(demo: true) { server in
      let signedIn = try await server.visitor.perform(
        Documents.signIn,
        A02SignInTests.input("ada@example.com", Demonstration.password)
      )
      let ada = server.visitor.with(token: signedIn["credentials.accessToken"].string)
      func look() async throws -> Value { try await ada.ask(Self.document)["data"] }
      var data = try await look()
      // Reminders become due a moment after the start.
      while !data["family.reminders.nodes"].each("status").contains("DUE") { data = try await look() }
      func all(_ path: String, _ field: String) -> Set<String> {
        Set(data[path].list.map { $0[field].text })
      }
      let (viewer, family) = (data["viewer"], data["family"])
      #expect(viewer["emailVerified"] == true)
      #expect(viewer["identities"].list.count == 1)
      #expect(viewer["contacts.nodes"].list.contains { $0["person.contactInfo"].list.isEmpty == false })
      #expect(viewer["incoming.totalCount"] == 1 && viewer["outgoing.totalCount"] == 1)
      #expect(all("viewer.groups.nodes", "viewerRole") == ["\"ADMIN\"", "\"MEMBER\""])
      #expect(
        all("viewer.notifications.nodes", "__typename")
          == [
            "\"ContactRequestNotification\"", "\"ContactAcceptedNotification\"", "\"ContactRemovedNotification\"",
            "\"GroupInvitationNotification\"", "\"ReminderNotification\"",
          ]
      )
      #expect(viewer["unreadNotificationCount"].int == 3)
      #expect(all("viewer.person.contactInfo", "kind") == ["\"EMAIL\"", "\"PHONE\"", "\"ADDRESS\""])
      #expect(family["parents"].list.count == 2)
      #expect(all("family.items.nodes", "photo").count == 2)
      #expect(all("family.reminders.nodes", "status") == ["\"DUE\"", "\"SCHEDULED\""])
      #expect(all("family.chores.nodes", "status") == ["\"OPEN\"", "\"DONE\"", "\"ARCHIVED\""])
      #expect(all("family.chores.nodes", "frequency").count == 4)
      #expect(family["chores.nodes"].list.contains { $0["copiedFrom"] != .null })
      #expect(family["chores.nodes"].list.contains { $0["assignees"].each("__typename").contains("Person") })
      #expect(family["children"].list.contains { $0["contracts.nodes"].each("active") == [true, false] })
      #expect(family["children"].list.contains { $0["prizeLevel"] != .null && $0["finishedChores.totalCount"] != 0 })
      #expect(all("search.nodes", "__typename").isEmpty == false)
    }
  }

  @Test func `let an address book be matched`() async throws {
    try await TestServer.run(demo: true) { server in
      let signedIn = try await server.visitor.perform(
        Documents.signIn,
        A02SignInTests.input("ada@example.com", Demonstration.password)
      )
      let ada = server.visitor.with(token: signedIn["credentials.accessToken"].string)
      let entries: Value = [
        ["name": "B. Duncan", "emails": ["browning@example.com"]], ["name": "Mary", "emails": ["mary@example.com"]],
        ["name": "Nobody", "emails": ["nobody@example.com"]],
      ]
      let outcome = try await ada.perform(Documents.matchAddressBook, ["entries": entries])
      #expect(outcome["matches"].each("person.name") == ["Browning Duncan", "Mary Somerville", nil])
      #expect(outcome["matches"].each("relation") == ["CONTACT", "REQUEST_SENT", "NONE"])
    }
  }
}
