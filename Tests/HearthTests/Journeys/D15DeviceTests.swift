import Testing

@testable import Hearth

@Suite("D15: devices and what they are notified of")
struct D15DeviceTests {
  /// A browser's push subscription that nothing can be sent to: its service has no address.
  static func subscription(_ name: String = "one") -> Value {
    [
      "web": [
        "endpoint": .string("https://push.invalid/\(name)"),
        // The example of RFC 8291, section 5.
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "auth": "BTBZMqHH6r4Tts7J_aSIgg",
      ]
    ]
  }

  @Test func `a device is listed until it is removed, and keeps its id when it registers again`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let first = try await ada.parent.register(Self.subscription(), name: "Laptop")
      #expect(first.userErrors == [] && first["device.kind"] == "WEB" && first["device.current"] == true)
      let again = try await ada.parent.register(Self.subscription(), name: "Old laptop")
      #expect(again["device.id"] == first["device.id"])
      #expect(try await ada.parent.register(Self.subscription("two"), name: "Phone").userErrors == [])
      #expect(try await ada.parent.deviceNames() == ["Phone", "Old laptop"])
      let removed = try await ada.parent.perform(Documents.unregisterDevice, ["id": first["device.id"]])
      #expect(removed["removedId"] == first["device.id"])
      #expect(try await ada.parent.deviceNames() == ["Phone"])
      let twice = try await ada.parent.perform(Documents.unregisterDevice, ["id": first["device.id"]])
      #expect(twice.userErrors == ["id NOT_FOUND"])
    }
  }

  @Test func `addresses that are none are rejected, and those of unknown push services`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let good = Self.subscription()["web"]
      let wrong: [(Value, String)] = [
        (good.setting("endpoint", "http://push.invalid/x"), "endpoint INVALID"),
        (good.setting("endpoint", "nonsense"), "endpoint INVALID"),
        (good.setting("endpoint", "https://push.invalid.example.com/x"), "endpoint NOT_ALLOWED"),
        (good.setting("endpoint", "https://127.0.0.1/x"), "endpoint NOT_ALLOWED"),
        (good.setting("endpoint", "http://localhost/x"), "endpoint NOT_ALLOWED"),
        (good.setting("endpoint", "https://push.invalid:8443/x"), "endpoint NOT_ALLOWED"),
        (good.setting("endpoint", "https://user:word@push.invalid/x"), "endpoint NOT_ALLOWED"),
        (good.setting("endpoint", "https://169.254.169.254/latest"), "endpoint NOT_ALLOWED"),
        (
          good.setting("endpoint", .string("https://push.invalid/" + String(repeating: "x", count: 2_000))),
          "endpoint TOO_LONG"
        ),
        (good.setting("p256dh", "AAAA"), "p256dh INVALID"),
        (good.setting("p256dh", .string("B" + String(repeating: "A", count: 86))), "p256dh INVALID"),
        (good.setting("auth", "????"), "auth INVALID"),
      ]
      for (web, error) in wrong {
        #expect(try await ada.parent.register(["web": web]).userErrors == ["input.address.web.\(error)"], "\(web)")
      }
      let apple = try await ada.parent.register(["apple": ["token": .string(String(repeating: "a", count: 64))]])
      #expect(apple.userErrors == ["input.address.apple.token NOT_ALLOWED"])
      let google = try await ada.parent.register(["google": ["token": "registration-token:of-a-phone"]])
      #expect(google.userErrors == ["input.address.google.token NOT_ALLOWED"])
      #expect(try await ada.parent.deviceNames() == [])
    }
  }

  @Test func `keys can be in the standard alphabet of Base64, with padding`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let url = Self.subscription()["web"]
      func standard(_ field: String, padding: String) -> Value {
        .string((url[field].string ?? "").replacing("-", with: "+").replacing("_", with: "/") + padding)
      }
      let web = url.setting("p256dh", standard("p256dh", padding: "="))
        .setting("auth", standard("auth", padding: "=="))
      #expect(try await ada.parent.register(["web": web]).userErrors == [])
    }
  }

  @Test func `accepted hosts are exact or below a name, and always public`() throws {
    var settings = PushSettings()
    let accepted = ["https://fcm.googleapis.com/x", "https://updates.push.services.mozilla.com/wpush/v2/x"]
    let rejected = [
      "https://evil-fcm.googleapis.com/x", "https://push.services.mozilla.com.evil.example/x",
      "https://push.services.mozilla.com/x", "http://127.0.0.1/x", "https://[::1]/x",
    ]
    for text in accepted { #expect(WebURL(text).map(settings.accepts) == true, "\(text)") }
    for text in rejected { #expect(WebURL(text).map(settings.accepts) == false, "\(text)") }
    // With any host, the address is checked when a connection is opened.
    settings.webHosts = ["*"]
    let connections = WebConnections()
    for host in ["127.0.0.1", "[::1]", "10.0.0.1", "169.254.169.254", "[::ffff:127.0.0.1]", "[fd00::1]", "0.0.0.0"] {
      let url = try #require(WebURL("https://\(host)/x"))
      #expect(settings.accepts(url) || url.isLoopback)
      let request = WebRequest(url: url, headers: [], body: [1], timeout: 60_000, requiresPublicAddress: true)
      #expect((try? request.perform(on: connections).status) == nil, "\(host)")
    }
  }

  @Test(arguments: [
    ("https://push.example/x", "https://push.example"), ("https://push.example:443/x", "https://push.example"),
    ("https://Push.Example:8443/x", "https://push.example:8443"), ("http://localhost:80/x", "http://localhost"),
    ("http://127.0.0.1:443/x", "http://127.0.0.1:443"), ("https://127.0.0.1:80/x", "https://127.0.0.1:80"),
  ])
  func `the origin of a push service is without the default port`(url: String, origin: String) throws {
    #expect(try #require(WebURL(url)).origin == origin)
  }

  @Test func `a device ends with its session, and changes hands with who signs in on it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let eve = try await Household(on: server, email: "eve@example.com", name: "Eve")
      _ = try await ada.parent.register(Self.subscription(), name: "Shared")
      _ = try await eve.parent.register(Self.subscription(), name: "Eve's now")
      #expect(try await ada.parent.deviceNames() == [])
      #expect(try await eve.parent.deviceNames() == ["Eve's now"])
      _ = try await eve.parent.perform("mutation { signOut { signedOut } }")
      #expect(try server.rows("SELECT count(*) FROM device", columns: 1) == [[0]])
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      #expect(try await child.register(Self.subscription("mia"), name: "Tablet").userErrors == [])
      let document = "query ($id: ID!) { family { child(id: $id) { devices { id name session { id } } } } }"
      let seen = try await ada.parent.ask(document, ["id": .string(mia)])["data.family.child.devices.0"]
      #expect(seen["name"] == "Tablet")
      _ = try await ada.addChild("Ben", username: "ben")
      let sibling = try await ada.signIn("ben")
      #expect(try await sibling.ask(document, ["id": .string(mia)])["data.family.child.devices"] == .null)
      let rejected = try await sibling.perform(Documents.unregisterDevice, ["id": seen["id"]])
      #expect(rejected.userErrors == ["id NOT_FOUND"])
      #expect(try await eve.parent.perform(Documents.unregisterDevice, ["id": seen["id"]]).codes == ["TOKEN_REVOKED"])
      _ = try await ada.parent.perform(Documents.endSession, ["id": seen["session.id"]])
      #expect(try server.rows("SELECT count(*) FROM device", columns: 1) == [[0]])
    }
  }

  @Test func `a device receives nothing once its session has expired, which each refresh postpones`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let eve = try await Household(on: server, email: "eve@example.com", name: "Eve")
      #expect(try await ada.parent.register(Self.subscription("phone"), name: "Phone").userErrors == [])
      let input = A02SignInTests.input(ada.email, Household.password)["input"].setting("rememberMe", false)
      let short = try await server.visitor.perform(Documents.signIn, ["input": input])["credentials"]
      let library = server.visitor.with(token: short["accessToken"].string)
      #expect(try await library.register(Self.subscription("library"), name: "Library").userErrors == [])
      // The session that is not to be remembered expires a day after its last refresh.
      server.clock.advance(seconds: 20 * 3_600)
      let refreshed = try await server.visitor.perform(Documents.refresh, ["token": short["refreshToken"]])
      #expect(refreshed.userErrors == [])
      let newest = "SELECT count(*) FROM push WHERE subject_id = (SELECT max(id) FROM notification)"
      for (hours, pushes) in [(20, 2), (5, 1)] as [(Int64, Int64)] {
        server.clock.advance(seconds: hours * 3_600)
        let sender = try await eve.signedInAgain(on: server)
        let request = Value.string(try await sender.request(ada))
        #expect(try server.rows(newest, columns: 1) == [[pushes]])
        #expect(try await sender.parent.perform(Documents.cancelRequest, ["id": request]).userErrors == [])
      }
    }
  }

  @Test func `a device whose session has expired is not listed, nor sent what was queued before`() async throws {
    try await TestServer.run(configure: { $0.sessionLifetime = 86_400 }) { server in
      let ada = try await Household(on: server)
      let eve = try await Household(on: server, email: "eve@example.com", name: "Eve")
      let mia = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      #expect(try await ada.parent.register(Self.subscription("phone"), name: "Phone").userErrors == [])
      #expect(try await child.register(Self.subscription("tablet"), name: "Tablet").userErrors == [])
      func devicesOfChild(_ parent: Client) async throws -> [Value] {
        let document = "query ($id: ID!) { family { child(id: $id) { devices { name } } } }"
        return try await parent.ask(document, ["id": .string(mia)])["data.family.child.devices"].each("name")
      }
      _ = try await eve.request(ada)
      // This address cannot be reached.
      await server.deliverPushes()
      #expect(try server.rows("SELECT count(*) FROM push", columns: 1) == [[1]])
      #expect(try await ada.parent.deviceNames() == ["Phone"])
      #expect(try await devicesOfChild(ada.parent) == ["Tablet"])
      server.clock.advance(days: 1)
      await server.deliverPushes()
      #expect(try server.rows("SELECT count(*) FROM push", columns: 1) == [[0]])
      let again = try await ada.signedInAgain(on: server)
      #expect(try await again.parent.deviceNames() == [])
      #expect(try await devicesOfChild(again.parent) == [])
      #expect(try server.rows("SELECT count(*) FROM device", columns: 1) == [[2]])
    }
  }

  @Test func `a member has 20 devices, of which a further one replaces the oldest`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for number in 1...22 {
        #expect(try await ada.parent.register(Self.subscription("\(number)"), name: "\(number)").userErrors == [])
      }
      #expect(try await ada.parent.deviceNames() == (3...22).reversed().map { "\($0)" })
      // 60 at once, then one a minute.
      var codes: [[String]] = []
      for number in 23...61 {
        codes.append(try await ada.parent.register(Self.subscription("again"), name: "\(number)").codes)
      }
      #expect(codes == Array(repeating: [], count: 38) + [["RATE_LIMITED"]])
    }
  }

  @Test func `settings are the member's own, and times are checked`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let child = try await ada.signIn("mia")
      let input: Value = [
        "muted": ["REMINDER", "CONTACT_REMOVED"],
        "quietHours": ["from": "20:00", "until": "06:05", "includesReminders": true],
      ]
      let outcome = try await child.perform(Documents.updateNotificationSettings, ["input": input])
      let expected: Value = [
        "muted": ["CONTACT_REMOVED", "REMINDER"],
        "quietHours": ["from": "20:00", "until": "06:05", "includesReminders": true],
      ]
      #expect(outcome["child.notificationSettings"] == expected && outcome["account"] == .null)
      let unchanged = try await child.perform(Documents.updateNotificationSettings, ["input": ["muted": []]])
      #expect(unchanged["child.notificationSettings.quietHours.from"] == "20:00")
      let removed = try await child.perform(Documents.updateNotificationSettings, ["input": ["quietHours": .null]])
      #expect(removed["child.notificationSettings"] == ["muted": [], "quietHours": .null])
      let own = try await ada.parent.ask("{ viewer { ... on Account { notificationSettings { muted } } } }")
      #expect(own["data.viewer.notificationSettings.muted"] == [])
      for (from, until, error) in [
        ("24:00", "07:00", "from"), ("22:00", "7:00", "until"), ("22:00", "22:00", "until"), ("", "07:60", "from"),
      ] {
        let hours: Value = ["input": ["quietHours": ["from": .string(from), "until": .string(until)]]]
        let errors = try await ada.parent.perform(Documents.updateNotificationSettings, hours).userErrors
        #expect(errors.first == "input.quietHours.\(error) INVALID", "\(from) \(until)")
      }
    }
  }

  @Test func `quiet hours end at their time, also past midnight and when clocks change`() {
    var settings = NotificationSettings(member: GlobalID(.person, number: 1))
    (settings.quietFrom, settings.quietUntil) = (22 * 60, 7 * 60)
    let berlin = WallClock("Europe/Berlin")
    func end(_ day: Day, _ minute: Int64, _ kind: NotificationKind = .choreFinished) -> Int64? {
      let moment = berlin.moment(of: day, minute * 60_000)
      return settings.quietUntil(kind, at: moment, berlin)
    }
    // Clocks change on 25 October 2026, 20751 days after 1970.
    let day = Day(number: 20_750)
    let morning = Day(number: 20_751)
    #expect(end(day, 22 * 60) == berlin.moment(of: morning, 7 * 3_600_000))
    #expect(end(morning, 6 * 60 + 59) == berlin.moment(of: morning, 7 * 3_600_000))
    #expect(end(morning, 7 * 60) == nil && end(day, 21 * 60 + 59) == nil)
    #expect(end(day, 23 * 60, .reminder) == nil)
    settings.quietsReminders = true
    #expect(end(day, 23 * 60, .reminder) != nil)
    // Clocks show 02:30 twice on this day: at the first they go back to 02:00 half an hour later.
    (settings.quietFrom, settings.quietUntil) = (22 * 60, 2 * 60 + 30)
    let first = berlin.moment(of: morning, 2 * 3_600_000)
    let (minute, hour): (Int64, Int64) = (60_000, 3_600_000)
    #expect(settings.quietUntil(.choreFinished, at: first, berlin) == first + 30 * minute)
    #expect(settings.quietUntil(.choreFinished, at: first + 30 * minute, berlin) == nil)
    #expect(settings.quietUntil(.choreFinished, at: first + hour, berlin) == first + hour + 30 * minute)
    #expect(settings.quietUntil(.choreFinished, at: first + hour + 30 * minute, berlin) == nil)
    // Clocks skip from 02:00 to 03:00.
    let skipped = Day(year: 2027, month: 3, day: 28)
    let gap = berlin.moment(of: skipped, 3 * hour)
    #expect(settings.quietUntil(.choreFinished, at: gap - 10 * minute, berlin) == gap)
    #expect(settings.quietUntil(.choreFinished, at: gap, berlin) == nil)
    (settings.quietFrom, settings.quietUntil) = (12 * 60, 14 * 60)
    #expect(end(day, 13 * 60) == berlin.moment(of: day, 14 * 3_600_000) && end(day, 11 * 60) == nil)
  }
}
