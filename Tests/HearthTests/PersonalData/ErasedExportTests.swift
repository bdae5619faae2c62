import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Exports of people who are erased")
struct ErasedExportTests {
  @Test func `their archives are deleted, and are not sent where they are left`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let child: Value = ["child": .string(try await ada.addChild("Mia"))]
      let eve = try await Household(on: server, email: "eve@example.com")
      let kept = try ExportTests.path(try await eve.parent.perform(ExportTests.export))
      let erased = [
        try ExportTests.path(try await ada.parent.perform(ExportTests.export)),
        try ExportTests.path(try await ada.parent.perform(ExportTests.export, child)),
      ]
      let (folder, copy) = (server.directory.path + "/exports", server.directory.path + "/copy")
      try FileManager.default.copyItem(atPath: folder, toPath: copy)

      // With her family, because she is its last adult.
      let arguments = ["account", "delete", ada.personID, "--now", "--data", server.directory.path]
      #expect(try await Program(arguments).result().status == 0)
      while try FileManager.default.contentsOfDirectory(atPath: folder).count > 1 { await Task.yield() }
      for path in erased { #expect(try await server.http.get(path).status == 404) }
      #expect(try await server.http.get(kept).status == 200)

      // As another process has them, which does not erase anybody.
      for name in try FileManager.default.contentsOfDirectory(atPath: copy) where !kept.contains(name.dropLast(4)) {
        try FileManager.default.copyItem(atPath: "\(copy)/\(name)", toPath: "\(folder)/\(name)")
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 3)
      try await server.rows("SELECT count(*) FROM person WHERE erased_at IS NOT NULL", become: 1)
      for path in erased {
        // The connection ends before the archive.
        await #expect(throws: (any Error).self) { try await server.http.get(path) }
      }
    }
  }

  @Test func `an archive that is being written is deleted, too`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let (exports, cipher) = (server.services.exports, server.services.cipher)
      let person = try #require(cipher.key(of: ada.personID))
      let member: MemberKey = (family: try #require(cipher.key(of: ada.familyID)), member: person)
      await #expect(throws: (any Error).self) {
        _ = try await exports.add(of: member, at: server.clock.clock.now(), keepingFree: 0) { _, _ in
          // As after the commit of an erasure.
          exports.removeArchives(of: person)
        }
      }
      #expect(try FileManager.default.contentsOfDirectory(atPath: exports.path) == [])
    }
  }
}
