import Foundation
import Storage
import Testing

@Suite("A process that fails")
struct CrashTests {
  let path: String

  init() throws { path = try TemporaryDatabase.makeFolder() + "/test.db" }

  /// The helper's process, started. It stands beside the test runner.
  func start(_ mode: String) throws -> (Process, FileHandle) {
    let runner = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: runner).deletingLastPathComponent()
      .appendingPathComponent("storage-crash")
    process.arguments = [mode, path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    return (process, output.fileHandleForReading)
  }

  @Test(arguments: [1, 100, 1_000, 3_000])
  func `killed amid its writes, it has stored all that it acknowledged and nothing by half`(count: Int) throws {
    let (process, output) = try start("stream")
    var acknowledged = Data()
    while acknowledged.count(where: { $0 == 0x0A }) < count { acknowledged.append(output.availableData) }
    kill(process.processIdentifier, SIGKILL)
    acknowledged.append(try output.readToEnd() ?? Data())
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal)

    #expect(try Database.integrityCheck(of: path).isEmpty)
    let reader = try Database.reader(of: path)
    let entries = try Set(reader.entries())
    // The last line may have been cut off by the kill, and is then no acknowledgement.
    let ids = acknowledged.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
      .compactMap { Int64(String(decoding: $0, as: UTF8.self)) }
    #expect(ids.count >= count)
    #expect(entries.isSuperset(of: ids))
    var echoes: Set<Int64> = []
    try reader.statement(.selectEchoes).forEachRow { row in echoes.insert(row.int64(0)) }
    #expect(echoes == entries)
  }

  @Test func `without room for a commit it fails every write of the group, and goes on when there is room`() throws {
    let (process, output) = try start("limit")
    let lines = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(lines.count == 17)
    for line in lines.dropLast() { #expect(line.hasSuffix("full") || line.hasSuffix("inputOutput")) }
    #expect(lines.last == "17 stored")
    #expect(try Database.reader(of: path).entries() == [0, 17])
    #expect(try Database.integrityCheck(of: path).isEmpty)
  }

  @Test func `opens a fresh file although others open it too`() throws {
    let processes = try (0..<6).map { _ in try start("open").0 }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
  }
}

extension SQL {
  fileprivate static let selectEchoes = SQL("SELECT entry FROM echo ORDER BY entry")
}
