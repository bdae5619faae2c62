import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The pictures of backups")
struct BackupPicturesTests {
  /// Creates data with items that have pictures. Returns an access token, and the ids of the items.
  private static func addItems(_ count: Int, in directory: TemporaryDirectory) async throws -> (String?, [String]) {
    var token: String?
    var items: [String] = []
    try await TestServer.run(in: directory, database: .sqlite) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token
      for width in 1...count {
        let photo = SamplePicture.jpeg(width: width)
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
        items.append(try #require(added["item.id"].string))
      }
    }
    return (token, items)
  }

  private static func remove(_ item: String, by token: String?, in directory: TemporaryDirectory) async throws {
    try await TestServer.run(in: directory, database: .sqlite) { server in
      let removed = try await server.visitor.with(token: token).perform(
        Documents.removeItem,
        ["id": .string(item)]
      )
      try #require(removed.userErrors == [], "\(removed)")
    }
  }

  /// The paths of the pictures.
  private static func paths(in directory: TemporaryDirectory) -> [String] {
    TestServer.pictureFiles(in: directory).map { "\(directory.path)/media/\($0)" }
  }

  private static func content(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

  private static func write(_ content: Data, to path: String) throws {
    try content.write(to: URL(fileURLWithPath: path))
  }

  @Test func `one is kept although pictures are missing, damaged or unreadable, and names them`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    _ = try await Self.addItems(4, in: directory)
    let paths = Self.paths(in: directory)
    let contents = try paths.map(Self.content)
    try FileManager.default.removeItem(atPath: paths[0])
    try Self.write(contents[1].dropLast() + [0], to: paths[1])
    // A link to itself cannot be opened, not even by root.
    try FileManager.default.removeItem(atPath: paths[2])
    try FileManager.default.createSymbolicLink(atPath: paths[2], withDestinationPath: paths[2])

    let backup = try await Program.run("backup", "--data", directory.path, copy.path + "/hearth.db")
    #expect(backup.status == 2)
    #expect(backup.errors.contains("The file \(paths[0]) does not exist or cannot be read."), "\(backup.errors)")
    #expect(backup.errors.contains("The file \(paths[1]) does not match its hash."), "\(backup.errors)")
    #expect(backup.errors.contains("The file \(paths[2]) does not exist or cannot be read."), "\(backup.errors)")
    #expect(backup.errors.contains("hearth.db was made, but lacks 3 pictures."), "\(backup.errors)")
    #expect(!backup.errors.contains(paths[3]))
    #expect(TestServer.pictureFiles(in: copy).count == 1)
    // It is not a backup that has succeeded.
    #expect(LastBackup.date(in: directory.path) == nil)
    let check = try await Program.run("check", "--data", copy.path)
    #expect(check.status == 1 && check.output.split(separator: "\n").count == 3, "\(check.output)")

    try FileManager.default.removeItem(atPath: paths[2])
    for (path, content) in zip(paths, contents) { try Self.write(content, to: path) }
    #expect(try await Program.run("backup", "--data", directory.path, copy.path + "/later.db").status == 0)
    #expect(LastBackup.date(in: directory.path) != nil)
    #expect(try Maintenance.faults(in: .folder(copy.path)) == [])
  }

  @Test func `only a picture that was removed meanwhile needs another copy of the database`() async throws {
    let (directory, copy, empty) = (try TemporaryDirectory(), try TemporaryDirectory(), try TemporaryDirectory())
    let (token, items) = try await Self.addItems(2, in: directory)
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/hearth.db")
    let before = Self.paths(in: directory)
    try await Self.remove(items[0], by: token, in: directory)
    let after = Self.paths(in: directory)
    try #require(before.count == 2 && after.count == 1)

    let live = DataDirectory.databasePath(in: directory.path)
    let copying = MediaCopy(from: directory.path, to: empty.path)
    let lock = try copying.begin()
    defer { lock.release() }
    #expect(try copying.complete(for: copy.path + "/hearth.db", copiedFrom: live) == nil)
    #expect(try copying.complete(for: live, copiedFrom: live) == [])
    try FileManager.default.removeItem(atPath: after[0])
    // The destination has it.
    #expect(try copying.complete(for: live, copiedFrom: live) == [])
    try FileManager.default.removeItem(atPath: Self.paths(in: empty)[0])
    #expect(try copying.complete(for: live, copiedFrom: live)?.count == 1)
  }

  @Test func `a copy of the wrong size is replaced, but not by a damaged picture`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    _ = try await Self.addItems(2, in: directory)
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/hearth.db")
    let (originals, copies) = (Self.paths(in: directory), Self.paths(in: copy))
    let (first, second) = (try Self.content(originals[0]), try Self.content(originals[1]))
    // Both the first picture and its copy are cut off, as by an older version that copied the damage.
    try Self.write(first.dropLast(), to: originals[0])
    try Self.write(first.dropLast(), to: copies[0])
    try Self.write(second.dropLast(), to: copies[1])
    let error = try #require(throws: IncompleteBackup.self) {
      try Maintenance.backup(.folder(directory.path), to: copy.path + "/second.db")
    }
    #expect(error.faults == ["The file \(originals[0]) does not match its hash."])
    #expect(try Self.content(copies[1]) == second)
    // A sound copy outlives its picture, and heals the backup.
    try Self.write(first, to: copies[0])
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/third.db")
    #expect(try Self.content(copies[0]) == first)
    #expect(try Maintenance.faults(in: .folder(copy.path)) == [])
  }

  @Test func `backups into one folder do not overlap, and a server there leaves their files`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    _ = try await Self.addItems(1, in: directory)
    let media = MediaFolder(path: DataDirectory.mediaPath(in: copy.path))
    let lock = try MediaFolderLock.forBackup(into: media)
    let (half, whole) = ("\(media.path)/incoming/half", [UInt8]("a picture of the other backup".utf8))
    try Self.write(Data("half".utf8), to: half)
    try media.write(whole[...], as: PictureHash(of: whole[...]))

    let second = try await Program.run("backup", "--data", directory.path, copy.path + "/second.db")
    #expect(second.status == 1 && second.errors.contains("Another backup is being written"), "\(second.errors)")
    #expect(!FileManager.default.fileExists(atPath: copy.path + "/second.db"))
    try FileManager.default.copyItem(
      atPath: DataDirectory.databasePath(in: directory.path),
      toPath: DataDirectory.databasePath(in: copy.path)
    )
    let log = RecordedLog()
    try await TestServer.run(in: copy, database: .sqlite, log: log.logger) { _ in }
    #expect(log.messages.contains { $0.contains("A backup is being written into the data folder") })
    #expect(FileManager.default.fileExists(atPath: half) && TestServer.pictureFiles(in: copy).count == 1)

    lock.release()
    #expect(try await Program.run("backup", "--data", directory.path, copy.path + "/second.db").status == 0)
    #expect(!FileManager.default.fileExists(atPath: half))
  }

  @Test func `a released folder can be locked while another descriptor of it is still open`() throws {
    let directory = try TemporaryDirectory()
    let media = MediaFolder(path: DataDirectory.mediaPath(in: directory.path))
    let lock = try MediaFolderLock.forBackup(into: media)
    let path = URL(filePath: media.path).standardizedFileURL.path
    let descriptor = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").first { entry in
      path == (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(entry)"))
    }
    // A process that is being started has such a copy.
    let copy = dup(try #require(descriptor.flatMap { Int32($0) }))
    defer { close(copy) }
    #expect(MediaFolderLock(media) == nil)
    lock.release()
    let second = try #require(MediaFolderLock(media))
    #expect(second.isEffective)
    second.release()
  }

  // MARK: Pictures of deleted backups

  /// Makes the backup `monday.db` of data with two pictures, and removes one of them from the data.
  private static func removePicture(of directory: TemporaryDirectory, after copy: TemporaryDirectory) async throws {
    let (token, items) = try await addItems(2, in: directory)
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/monday.db")
    try await remove(items[0], by: token, in: directory)
  }

  @Test(arguments: ["tuesday.db", "hearth.db", ".hidden.db"])
  func `a backup removes those that no database in its folder refers to`(name: String) async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await Self.removePicture(of: directory, after: copy)
    // Not named by a hash.
    let other = copy.path + "/media/list"
    try Self.write(Data("pictures".utf8), to: other)
    let file = "\(copy.path)/\(name)"
    #expect(try Maintenance.backup(.folder(directory.path), to: file) == nil)
    #expect(TestServer.pictureFiles(in: copy).count == 2, "Monday's stay.")
    for path in [file, copy.path + "/monday.db"] { try FileManager.default.removeItem(atPath: path) }
    #expect(try Maintenance.backup(.folder(directory.path), to: file) == nil)
    #expect(TestServer.pictureFiles(in: copy) == TestServer.pictureFiles(in: directory))
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test func `a backup with a hidden name keeps its pictures`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await Self.removePicture(of: directory, after: copy)
    try FileManager.default.moveItem(atPath: copy.path + "/monday.db", toPath: copy.path + "/.monday.db")
    #expect(try Maintenance.backup(.folder(directory.path), to: copy.path + "/hearth.db") == nil)
    #expect(TestServer.pictureFiles(in: copy).count == 2)
  }

  @Test(arguments: [
    ("monday.db.gz", "monday.db.gz can be another backup"), ("older/", "older can be another backup"),
    ("hearth.db-wal", "hearth.db-wal can be another backup"), ("damaged.db", "damaged.db cannot be read"),
  ])
  func `a backup removes none beside what can be another one, and says so`(name: String, reason: String) async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await Self.removePicture(of: directory, after: copy)
    try FileManager.default.removeItem(atPath: copy.path + "/monday.db")
    let path = "\(copy.path)/\(name)"
    if name.hasSuffix("/") {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else {
      let isDatabase = name.hasSuffix(".db")
      try Self.write(Data((isDatabase ? "SQLite format 3\0" : "").utf8) + Data(repeating: 1, count: 4_096), to: path)
    }
    let sentence = try Maintenance.backup(.folder(directory.path), to: copy.path + "/tuesday.db")
    #expect(sentence?.contains(reason) == true, "\(sentence ?? "none")")
    #expect(TestServer.pictureFiles(in: copy).count == 2)
    try FileManager.default.removeItem(atPath: path)
    #expect(try Maintenance.backup(.folder(directory.path), to: copy.path + "/wednesday.db") == nil)
    #expect(TestServer.pictureFiles(in: copy).count == 1)
  }

  @Test func `a backup removes none through a link, which other folders can have too`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await Self.removePicture(of: directory, after: copy)
    let (media, shared) = (copy.path + "/media", try TemporaryDirectory())
    try FileManager.default.moveItem(atPath: media, toPath: shared.path + "/media")
    try FileManager.default.createSymbolicLink(atPath: media, withDestinationPath: shared.path + "/media")
    try FileManager.default.removeItem(atPath: copy.path + "/monday.db")
    let sentence = try Maintenance.backup(.folder(directory.path), to: copy.path + "/tuesday.db")
    #expect(sentence?.contains("media is a link") == true, "\(sentence ?? "none")")
    #expect(TestServer.pictureFiles(in: shared).count == 2)
  }

  @Test func `a backup into the folder of a running server removes none`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    try await Self.removePicture(of: directory, after: copy)
    try FileManager.default.removeItem(atPath: copy.path + "/monday.db")
    let server = try #require(MediaFolderLock(at: copy.path))
    defer { server.release() }
    let sentence = try Maintenance.backup(.folder(directory.path), to: copy.path + "/tuesday.db")
    #expect(sentence?.contains("a server uses the folder") == true, "\(sentence ?? "none")")
    #expect(TestServer.pictureFiles(in: copy).count == 2)
  }

  // MARK: Servers on backups

  @Test func `a server on one backup keeps the pictures of the others beside it`() async throws {
    let (directory, copy) = (try TemporaryDirectory(), try TemporaryDirectory())
    let (token, items) = try await Self.addItems(2, in: directory)
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/monday.db")
    try await Self.remove(items[0], by: token, in: directory)
    try Maintenance.backup(.folder(directory.path), to: copy.path + "/hearth.db")
    // Neither of these is a database.
    try Self.write(Data("SQLite".utf8), to: copy.path + "/notes.txt")
    try FileManager.default.createDirectory(atPath: copy.path + "/more.db", withIntermediateDirectories: true)

    let log = RecordedLog()
    try await TestServer.run(in: copy, database: .sqlite, log: log.logger) { _ in }
    #expect(TestServer.pictureFiles(in: copy).count == 2)
    let messages = log.messages.filter { $0.contains("Other databases in the data folder share its pictures") }
    #expect(messages.count == 1 && messages[0].contains("monday.db"), "\(messages)")

    try FileManager.default.moveItem(atPath: copy.path + "/monday.db", toPath: copy.path + "/more.db/monday.db")
    let later = RecordedLog()
    try await TestServer.run(in: copy, database: .sqlite, log: later.logger) { _ in }
    #expect(TestServer.pictureFiles(in: copy).count == 1)
    #expect(!later.messages.contains { $0.contains("share its pictures") })
  }
}
