import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Calls on files")
struct FileCallsTests {
  @Test func `all bytes are written and read, however few a call handles`() async throws {
    // More than a pipe holds: both sides take several calls.
    let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    for limit in [nil, 999_999] as [Int?] {
      var ends: [Int32] = [-1, -1]
      try #require(pipe(&ends) == 0)
      let (input, output) = (ends[0], ends[1])
      defer { close(input) }
      let reading = TestThread { () -> [UInt8]? in
        guard let limit else { return FileCalls.readAll(input) }
        let first = FileCalls.read(input, atMost: limit)
        // The rest, so that the writer does not wait forever.
        return FileCalls.readAll(input) == nil ? nil : first
      }
      #expect(FileCalls.write(bytes[...], to: output))
      close(output)
      #expect(try await reading.value == Array(bytes.prefix(limit ?? bytes.count)))
    }
  }

  @Test func `a failure is a sentence with its reason`() throws {
    let full = open("/dev/full", O_WRONLY)
    try #require(full >= 0)
    defer { close(full) }
    // The error is read at once: an expectation may change it.
    let isWritten = FileCalls.write([1, 2, 3], to: full)
    let sentence = FileCalls.failure(to: "write", "/dev/full")
    #expect(!isWritten)
    #expect(sentence == "Cannot write /dev/full: No space left on device.")
    #expect(FileCalls.write([], to: full))
    // It was not opened for reading.
    #expect(FileCalls.read(full, atMost: 3) == nil && FileCalls.readAll(full) == nil)
    let isSynchronized = FileCalls.synchronizeFolder("/nowhere")
    let reason = FileCalls.reason
    #expect(!isSynchronized)
    #expect(reason == "No such file or directory")
    #expect(FileCalls.names(in: "/nowhere") == [])
  }

  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a/b", "a"), ("a", ".")])
  func `the folder of a path`(path: String, folder: String) { #expect(FileCalls.folder(of: path) == folder) }

  @Test func `the names in a folder are without the hidden ones`() throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path
    for name in ["a", ".hidden", "b c"] { try Data().write(to: URL(fileURLWithPath: "\(folder)/\(name)")) }
    #expect(FileCalls.names(in: folder).sorted() == ["a", "b c"])
    #expect(FileCalls.synchronizeFolder(folder))
    // A file system that cannot synchronize folders.
    #expect(FileCalls.synchronizeFolder("/proc"))
  }
}
