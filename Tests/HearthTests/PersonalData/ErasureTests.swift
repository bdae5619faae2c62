import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Erasures leave nothing in any table or file")
struct ErasureTests {
  /// Where the key of an erased person stays: the family's history, and the row without a name that it refers to. So
  /// does that of the creator of a group of others, which is not shown, and for an hour, on PostgreSQL, the note that
  /// rows of the person were changed.
  static let historyOfPerson: Set = [
    "person.id", "chore.created_by", "chore.finished_by", "chore.approved_by", "chore.returned_by",
    "finished_chore.assigned_by", "reminder.answered_by", "item.created_by", "person_group.created_by",
    "point_entry.member_id", "point_entry.author_id", "point_balance.member_id", "reward_level.redeemed_by",
    "reward_level.handed_out_by", "former_parent.person_id", "partition_change.key",
  ]
  static let historyOfChild: Set = [
    "child.id", "chore.finished_by", "finished_chore.child_id", "point_entry.member_id",
  ]

  // MARK: An adult

  @Test func `an adult's words and keys are found everywhere before, and nowhere after`() async throws {
    let directory = try TemporaryDirectory()
    var keys: [Int64] = []
    try await TestServer.run(in: directory) { server in
      let story = try await ErasureStory(on: server)
      keys = try story.keys(server)
      let before = try await story.walk(server, keys: keys)
      #expect(before.isSuperset(of: ErasureStory.locations), "\(ErasureStory.locations.subtracting(before).sorted())")
      #expect(try await story.leaver.deleteAccount().userErrors == [])
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(try await story.leaver.reactivate(on: server).userErrors == ["input WRONG_CREDENTIALS"])
      #expect(server.pictureFiles.count == 2, "The family's pictures stay.")
    }
    let after = try await DataWalk(of: directory.path, words: ErasureStory.words, keys: keys)
    #expect(Set(after.locations).subtracting(Self.historyOfPerson) == [])
    #expect(Set(after.locations).isSuperset(of: ["person.id", "chore.created_by", "item.created_by"]))
  }

  @Test func `invitations to an address that the account has not verified stay`() async throws {
    try await TestServer.run { server in
      let stan = try await Household("Stan Stone", on: server)
      let squatter = try await Household(on: server, email: "owner@example.com", name: "Sam Squat")
      let contact: Value = ["email": .string(squatter.email), "offer": ["WORK"]]
      #expect(try await stan.parent.perform(Documents.inviteContact, contact).userErrors == [])
      let parent: Value = ["email": .string(squatter.email)]
      #expect(try await stan.parent.perform(Documents.inviteParent, parent).userErrors == [])
      _ = try await squatter.deleteAccount()
      // The owner of the address gets the mails while the account is deactivated.
      #expect(try await server.mails().count { $0.to.contains(squatter.email) && $0.subject.contains("Stan") } == 2)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      let again = try await stan.signedInAgain(on: server)
      #expect(try await again.requests("OUTGOING")["nodes"].each("invitedEmail") == [.string(squatter.email)])
      #expect(try server.rows("SELECT count(*) FROM family_invitation", columns: 1) == [[1]])
    }
  }

  @Test func `mails with such invitations that are waiting are sent after the erasure`() async throws {
    // A folder that cannot be created until the one that contains it exists.
    let place = try TemporaryDirectory()
    let outbox = place.path + "/mounted/outbox"
    try await TestServer.run(configure: { $0.mail = .folder(outbox) }) { server in
      let stan = try await Household("Stan Stone", on: server)
      let squatter = try await Household(on: server, email: "owner@example.com", name: "Sam Squat")
      _ = try await squatter.deleteAccount()
      server.clock.advance(days: 29)
      let again = try await stan.signedInAgain(on: server)
      let contact: Value = ["email": .string(squatter.email), "offer": ["WORK"]]
      #expect(try await again.parent.perform(Documents.inviteContact, contact).userErrors == [])
      let parent: Value = ["email": .string(squatter.email)]
      #expect(try await again.parent.perform(Documents.inviteParent, parent).userErrors == [])
      server.clock.advance(days: 1)
      try await server.erasures(become: 1)
      try FileManager.default.createDirectory(atPath: place.path + "/mounted", withIntermediateDirectories: false)
      // An attempt may just have failed. The next is an hour later at most.
      server.clock.advance(seconds: 3_600)
      await server.deliverMail()
      let files = try FileManager.default.contentsOfDirectory(atPath: outbox).filter { $0.hasSuffix(".eml") }
      let mails = try await ReceivedMail.read(files.map { "\(outbox)/\($0)" })
      #expect(mails.count { $0.to.contains(squatter.email) && $0.subject.contains("Stan") } == 2)
    }
  }

  @Test func `mails to the address are deleted, in whatever case it was typed`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server, email: "änne@zwiebel.example")
      _ = try await Household(on: server, email: "other@zwiebel.example")
      _ = try await ada.deleteAccount()
      server.clock.advance(days: 1)
      for email in ["ÄNNE@Zwiebel.example", "other@zwiebel.example"] {
        _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(email)])
      }
      let addresses = "SELECT count(*) FROM mail WHERE address IS NOT NULL"
      #expect(try server.rows(addresses, columns: 1) == [[2]])
      server.clock.advance(days: 29)
      try await server.erasures(become: 1)
      #expect(try server.rows(addresses, columns: 1) == [[1]])
    }
  }

  @Test(.onlySQLite("It reads the file, or copies it."))
  func `the write-ahead log is emptied while the server runs`() async throws {
    try await TestServer.run { server in
      let story = try await ErasureStory(on: server)
      _ = try await story.leaver.deleteAccount()
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      let log = server.directory.path + "/hearth.db-wal"
      func contains() throws -> Bool {
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: log)), as: UTF8.self).lowercased()
        return ErasureStory.words.contains { text.contains($0) }
      }
      // A reader delays it until the next commit.
      while try contains() { try await server.services.database.probeWrite() }
    }
  }

  @Test func `the last adult's family is erased with its children`() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server, email: "xanthippe@zwiebel.example", name: "Xanthippe Zwiebelturm")
      let mia = try await ada.addChild("Xanthia", username: "xanthia")
      let chore = try await ada.addChore("Xanthic chore", for: [mia])
      _ = try await ada.makeContract(with: mia, levels: [(2, "Xanthic award")])
      _ = try await ada.assign([(chore, 3)], to: mia)
      _ = try await ada.setReminder(of: try await ada.addChore("Xanthic other"), at: "2026-12-01T00:00:00Z")
      let input: Value = ["name": "Xanthic tent"]
      _ = try await ada.parent.perform(Documents.addItem, input, files: ["photo": SamplePicture.png()])
      _ = try await ada.deleteAccount()
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(server.pictureFiles.isEmpty)
      for table in [
        "child", "chore", "assignment", "contract", "reward_level", "finished_chore", "reminder", "item", "point_entry",
      ] {
        #expect(try server.rows("SELECT count(*) FROM \(table)", columns: 1) == [[0]], "\(table)")
      }
    }
    let after = try await DataWalk(of: directory.path, words: ["xanth", "zwiebel"], keys: [])
    #expect(after.locations == [])
  }

  @Test func `a family stays as long as another of its adults is not erased`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      _ = try await ada.deleteAccount()
      server.clock.advance(days: 15)
      _ = try await grace.signedInAgain(on: server).deleteAccount()
      server.clock.advance(days: 15)
      try await server.rows("SELECT count(*) FROM person WHERE erased_at IS NOT NULL", become: 1)
      let returned = try await grace.reactivate(on: server)
      let parent = server.visitor.with(token: returned["credentials.accessToken"].string)
      let family = try await parent.ask("{ family { parents { name } children { name } } }")["data.family"]
      #expect(family == ["parents": [["name": "Grace Hopper"]], "children": [["name": "Mia"]]])
    }
  }

  // MARK: A child

  @Test func `a child's words are found before, and nowhere after`() async throws {
    let directory = try TemporaryDirectory()
    var keys: [Int64] = []
    try await TestServer.run(in: directory) { server in
      let ada = try await Household(on: server)
      let added = try await ada.parent.perform(
        Documents.addChild,
        ["name": "Xanthia", "username": "xanthia", "birth": ["age": 8]],
        files: ["avatar": SamplePicture.png()]
      )
      let mia = try #require(added["child.id"].string, "\(added)")
      let child = try await ada.signIn("xanthia")
      _ = try await child.perform(Documents.updateNotificationSettings, ["input": ["muted": []]])
      let chore = try await ada.addChore("Feed the cat", for: [mia])
      _ = try await ada.makeContract(with: mia, levels: [(2, "Xanthia's award")])
      _ = try await child.perform(Documents.finishChore, ["id": .string(chore)])
      _ = try await ada.assign([(try await ada.addChore("Other", for: [mia]), 3)], to: mia)
      keys = try server.rows("SELECT id FROM child", columns: 1).map { $0[0] }
      _ = try await ada.deleteChild(mia)
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
      #expect(server.pictureFiles.isEmpty)
    }
    let after = try await DataWalk(of: directory.path, words: ["xanth"], keys: keys)
    // PostgreSQL keeps the key for an hour: the child's account has had events.
    #expect(Set(after.locations).subtracting(["partition_change.key"]) == Self.historyOfChild)
  }

  // MARK: Restored backups

  @Test func `the erasures of an adult and a child are repeated when an older backup is restored`() async throws {
    let directory = try TemporaryDirectory()
    let backup = try DataBackup(of: directory.path)
    var keys: [Int64] = []
    try await TestServer.run(in: directory) { server in
      let story = try await ErasureStory(on: server)
      keys = try story.keys(server)
      let gone = try await story.stayer.addChild("Zwieback Junior", username: "zwieback")
      try await backup.make()
      _ = try await story.leaver.deleteAccount()
      _ = try await story.stayer.deleteChild(gone)
      server.clock.advance(days: 30)
      try await server.erasures(become: 2)
      // Its key is lost, and must not be that of the person who registers after the restore.
      _ = try await Household("Later Person", on: server)
    }
    try await backup.restore()
    try await TestServer.run(in: directory, startingLater: 40 * 86_400) { server in
      let ada = try await Household(on: server, email: "new@example.com")
      #expect(try await ada.search("Xanthippe") == [])
      try await server.erasures(become: 2)
      #expect(try server.rows("SELECT count(*) FROM account WHERE email_key LIKE 'new%'", columns: 1) == [[1]])
    }
    let after = try await DataWalk(of: directory.path, words: ErasureStory.words + ["zwieback"], keys: keys)
    // The repeated erasure has recorded the event that a parent left, which is kept for a week.
    #expect(Set(after.locations).subtracting(Self.historyOfPerson) == ["family_event.subject_id"])
    // The backup is unchanged: an operator deletes backups that are too old.
    try await backup.restore()
    let restored = try await DataWalk(of: directory.path, words: ErasureStory.words, keys: [])
    #expect(restored.locations.contains("person.name"))
  }

  @Test(.onlySQLite("It reads the file, or copies it."))
  func `a backup has the record of all erasures so far, those of earlier backups included`() async throws {
    let (directory, backups) = (try TemporaryDirectory(), try TemporaryDirectory())
    let earlier = ErasureRecord.Entry(key: GlobalID(rawValue: 67), createdAt: 1)
    try ErasureRecord(in: backups.path).append([earlier])
    try await TestServer.run(in: directory) { server in
      _ = try await Household(on: server).deleteAccount()
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
    }
    let entries = try ErasureRecord(in: directory.path).entries()
    for day in ["monday", "tuesday"] {
      try Maintenance.backup(.folder(directory.path), to: "\(backups.path)/\(day).db")
      #expect(try ErasureRecord(in: backups.path).entries() == entries.union([earlier]))
    }
  }

  @Test func `a person with the key of an erased one is not erased`() async throws {
    let directory = try TemporaryDirectory()
    let record = ErasureRecord(in: directory.path)
    try await TestServer.run(in: directory) { server async throws in
      _ = try await Household(on: server)
      let key = try #require(try server.rows("SELECT id FROM person", columns: 1).first?.first)
      try record.append([ErasureRecord.Entry(key: GlobalID(rawValue: key), createdAt: 1)])
    }
    try await TestServer.run(in: directory) { server async throws in
      #expect(try server.rows("SELECT count(*) FROM person WHERE erased_at IS NULL", columns: 1) == [[1]])
    }
  }

  @Test func `a record that cannot be written or read says why`() throws {
    let directory = try TemporaryDirectory()
    let path = DataFile.erasures.path(in: directory.path)
    let record = ErasureRecord(in: directory.path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/full")
    let failure = #expect(throws: ErasureRecord.Failure.self) {
      try record.append([ErasureRecord.Entry(key: GlobalID(rawValue: 1), createdAt: 1)])
    }
    #expect(failure?.description == "Cannot write \(path): No space left on device.")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let unread = #expect(throws: ErasureRecord.Failure.self) { try record.entries() }
    #expect(unread?.description == "Cannot read \(path): Is a directory.")
  }

  @Test func `an erasure that was not recorded is recorded at the next start`() async throws {
    let directory = try TemporaryDirectory()
    try await TestServer.run(in: directory) { server in
      _ = try await Household(on: server).deleteAccount()
      server.clock.advance(days: 30)
      try await server.erasures(become: 1)
    }
    let record = ErasureRecord(in: directory.path)
    let entries = try record.entries()
    #expect(entries.count == 1)
    // A crash has cut off the line.
    try Data("\n12345 179".utf8).write(to: URL(fileURLWithPath: DataFile.erasures.path(in: directory.path)))
    #expect(try record.entries() == [])
    try await TestServer.run(in: directory) { _ in }
    #expect(try record.entries() == entries)
  }
}
