import Foundation
import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("Pictures of a server that is killed", .timeLimit(.minutes(20)))
struct MediaDurabilityTests {
  @Test(arguments: [1, 20, 60])
  func `there is no row without its file, and after the next start no file without its row`(answers: Int) async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: server.port())
    let answered = Counter()
    let streams = (0..<4).map { stream in
      let parent = ada.parent.another
      return Task { await Self.changePhotos(stream, parent, answered) }
    }
    await answered.wait(for: answers)
    server.signal(SIGKILL)
    for stream in streams { await stream.value }
    #expect(try await server.result().wasKilled)
    // The file that a crash at the worst moment leaves.
    let orphan = String(repeating: "ab", count: 31)
    let folder = directory.path + "/media"
    try FileManager.default.createDirectory(atPath: folder + "/ab", withIntermediateDirectories: true)
    try Data("orphan".utf8).write(to: URL(fileURLWithPath: "\(folder)/ab/\(orphan)"))
    try Data("half".utf8).write(to: URL(fileURLWithPath: "\(folder)/incoming/half"))

    let check = try await Program.run("check", "--data", directory.path)
    #expect(check.status == 0, "\(check.output)")
    let again = try Program.serve(directory)
    let parent = Client(port: try await again.port(), token: ada.parent.token)
    let items = try await parent.ask("{ family { items(first: 100) { nodes { photo { url placeholder } } } } }")
    var files: Set<String> = []
    for photo in items["data.family.items.nodes"].each("photo") where photo["placeholder"] == false {
      let path = try #require(photo["url"].string?.split(separator: "/").dropFirst(2).joined(separator: "/"))
      let answer = try await parent.http.get("/" + path)
      #expect(answer.status == 200)
      files.insert(try #require(answer.headers["etag"]))
    }
    #expect(TestServer.pictureFiles(in: directory).count == files.count)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/incoming").isEmpty)
    again.signal(SIGTERM)
    #expect(try await again.result().status == 0)
  }

  /// Adds items, replaces their photos and removes some, until the server ends.
  private static func changePhotos(_ stream: Int, _ parent: Client, _ answered: Counter) async {
    for number in 0... {
      let photo = SamplePicture.jpeg(width: 1 + stream, height: 1 + number)
      guard
        let added = try? await parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo]),
        added["item.id"].string != nil
      else { return }
      answered.increment()
      let other = SamplePicture.png(width: 1 + stream, height: 1 + number)
      let id = added["item.id"]
      guard (try? await parent.perform(Documents.updateItem, ["id": id], files: ["photo": other])) != nil else {
        return
      }
      answered.increment()
      if number % 2 == 0 {
        guard (try? await parent.perform(Documents.removeItem, ["id": id])) != nil else { return }
      }
    }
  }

  @Test func `backup includes the pictures, and check reports every missing or changed one`() async throws {
    let directory = try TemporaryDirectory()
    let server = try Program.serve(directory)
    let ada = try await Household(port: server.port())
    for width in 1...5 {
      let photo = SamplePicture.jpeg(width: width)
      _ = try await ada.parent.perform(Documents.addItem, ["name": "Tent"], files: ["photo": photo])
    }
    let copy = try TemporaryDirectory()
    // While pictures come and go.
    let adding = Task { await Self.changePhotos(9, ada.parent.another, Counter()) }
    let backup = try await Program.run("backup", "--data", directory.path, copy.path + "/hearth.db")
    #expect(backup.status == 0, "\(backup.errors)")
    #expect(try await Program.run("check", "--data", copy.path).status == 0)
    // Later ones share what the first has copied.
    for number in 1...5 {
      let later = try await Program.run("backup", "--data", directory.path, "\(copy.path)/later-\(number).db")
      #expect(later.status == 0, "\(later.errors)")
    }
    let within = try await Program.run("backup", "--data", directory.path, directory.path + "/copy.db")
    #expect(within.status != 0 && !FileManager.default.fileExists(atPath: directory.path + "/copy.db"))
    server.signal(SIGTERM)
    #expect(try await server.result().status == 0)
    await adding.value

    let files = TestServer.pictureFiles(in: directory)
    let first = "\(directory.path)/media/\(files[0])"
    let content = try Data(contentsOf: URL(fileURLWithPath: first))
    try (content.dropLast() + [0]).write(to: URL(fileURLWithPath: first))
    let changed = try await Program.run("check", "--data", directory.path)
    #expect(changed.status != 0 && changed.output.contains("\(first) does not match its hash"), "\(changed.output)")
    try FileManager.default.removeItem(atPath: first)
    let missing = try await Program.run("check", "--data", directory.path)
    #expect(missing.status != 0 && missing.output.contains("\(first) does not exist"), "\(missing.output)")
  }
}
