import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The disk space of exports")
struct ExportSpaceTests {
  private static func archives(in directory: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path + "/exports")
  }

  @Test func `an archive replaces the older one of the same person only`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let child: Value = ["child": .string(try await ada.addChild("Mia"))]
      let old = try ExportTests.path(try await ada.parent.perform(ExportTests.export))
      let ofChild = try ExportTests.path(try await ada.parent.perform(ExportTests.export, child))
      let new = try ExportTests.path(try await ada.parent.perform(ExportTests.export))
      #expect(try await server.http.get(old).status == 404)
      for path in [ofChild, new] { #expect(try await server.http.get(path).status == 200) }
      #expect(try Self.archives(in: server.directory).count == 2)
    }
  }

  @Test func `none is made when too little space would be left`() async throws {
    let log = RecordedLog()
    try await TestServer.run(log: log.logger, configure: { $0.minimumFreeBytes = 1 << 50 }) { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.perform(ExportTests.export).codes == ["STORAGE_UNAVAILABLE"])
      #expect(try Self.archives(in: server.directory) == [])
      let messages = log.messages.filter { $0.contains("A write could not be stored.") }
      #expect(messages.count == 1 && messages[0].contains("The disk has too little space"), "\(messages)")
    }
  }

  @Test func `pictures that are too large together are listed instead`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for width in 1...2 {
        let photo = ["photo": SamplePicture.jpeg(width: width)]
        let added = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)
        try #require(added.userErrors == [], "\(added)")
      }
      let services = server.services
      let key: MemberKey = (
        family: try #require(services.cipher.key(of: ada.familyID)),
        member: try #require(services.cipher.key(of: ada.personID))
      )
      var writer = ExportWriter(
        member: key,
        sections: ExportOfMember.sections,
        cipher: services.cipher,
        pictures: services.pictures
      )
      writer.pictureBytes = SamplePicture.jpeg().count
      let file = server.directory.path + "/some.zip"
      let archive = try ZipArchive(at: file, keepingFree: 0)
      try writer.write(to: archive, from: try services.database.makeReader(), at: services.clock.now())
      let program = """
        import json, sys, zipfile
        archive = zipfile.ZipFile(sys.argv[1])
        print(json.dumps([archive.namelist(), json.loads(archive.read('data.json'))]))
        """
      let output = try await PythonScript.run(code: program, [file])
      try #require(output.status == 0, "\(output.output)")
      let read = try Value(Array(output.output.utf8))
      let omitted = read["1.omittedPictures"].strings
      #expect(read["0"].strings.count == 2 && omitted.count == 1, "\(read)")
      #expect(Set(read["1.items"].each("photo").compactMap(\.string)) == Set(read["0"].strings.dropFirst() + omitted))

      let (names, data) = try await ExportTests.read(try await ada.parent.perform(ExportTests.export))
      #expect(names.count == 3 && data["omittedPictures"] == [])
    }
  }

  @Test func `an archive that cannot be written is no internal error`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      // Nothing can be created in what is not a folder.
      let folder = server.directory.path + "/exports"
      try FileManager.default.removeItem(atPath: folder)
      #expect(FileManager.default.createFile(atPath: folder, contents: nil))
      #expect(try await ada.parent.perform(ExportTests.export).codes == ["STORAGE_UNAVAILABLE"])
    }
  }

  @Test(.onlySQLite("It damages the file."))
  func `the start deletes archives before it opens the data, which fails on a full disk`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/exports"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    // The first one has expired.
    for name in ["1795248000000-f-m-x.zip", "1795251600000-f-m-x.zip", "1795251600000-f-m-y.unfinished"] {
      #expect(FileManager.default.createFile(atPath: "\(folder)/\(name)", contents: nil))
    }
    try Data("This is not a database.".utf8)
      .write(to: URL(fileURLWithPath: DataDirectory.databasePath(in: directory.path)))
    await #expect(throws: (any Error).self) { try await TestServer.run(in: directory) { _ in } }
    #expect(try Self.archives(in: directory) == ["1795251600000-f-m-x.zip"])
  }
}
