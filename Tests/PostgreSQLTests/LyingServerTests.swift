import Basics
import TestSupport
import Testing

@testable import PostgreSQL

/// Servers that do not follow the protocol: each ends with an error, without a crash, a hang or an invented row.
@Suite("Servers that lie", .needsPostgreSQL)
struct LyingServerTests {
  private static let honest =
    ServerMessage.parseComplete + ServerMessage.bindComplete + ServerMessage.rowDescription + ServerMessage.row(7)
    + ServerMessage.selected + ServerMessage.ready

  /// Connects to a server that sends `answer` after the first batch, in pieces, and then ends the connection unless it
  /// `stays`. It is honest about the settings of the connection. Returns the rows of SELECT, or the error.
  private func select(
    from answer: [UInt8],
    inPiecesOf size: Int = .max,
    stays: Bool = false,
    after start: [UInt8] = ServerMessage.start
  ) async throws -> Result<[Int64], PostgreSQLError> {
    let server = try FakeServer { client in
      _ = client.receive()
      client.send(start)
      _ = client.receive()
      client.send(Self.honest)
      _ = client.receive()
      var rest = answer[...]
      while !rest.isEmpty {
        guard client.send(Array(rest.prefix(size))) else { return }
        rest = rest.dropFirst(size)
      }
      if stays { while !client.receive().isEmpty {} }
    }
    var options = ConnectionOptions(
      parameters: [
        (name: "host", value: "127.0.0.1"), (name: "port", value: "\(server.port)"), (name: "user", value: "x"),
        (name: "dbname", value: "x"), (name: "sslmode", value: "disable"),
      ]
    )
    options.connectTimeout = .seconds(2)
    return try await TestThread { [options] in
      do throws(PostgreSQLError) {
        let connection = BlockingConnection(try Connector(options).connect(), timeout: .seconds(2))
        let rows = try connection.run("SELECT 7")
        return .success((0..<rows.count).map { rows.int64($0, 0) })
      } catch {
        return .failure(error)
      }
    }.value
  }

  @Test(arguments: [1, 3, 1000]) func `an honest answer in pieces is understood`(size: Int) async throws {
    #expect(try await select(from: Self.honest, inPiecesOf: size).get() == [7])
  }

  @Test func `an answer that ends early is a lost connection`() async throws {
    for length in 0..<Self.honest.count {
      let outcome = try await select(from: Array(Self.honest.prefix(length)))
      guard case .failure(let error) = outcome else {
        Issue.record("\(length) bytes gave \(outcome)")
        continue
      }
      #expect(error.code == .connectionLost, "\(length): \(error)")
    }
  }

  @Test(
    arguments: [
      // A row with a column more than the description, with a length beyond the message, and with a negative one.
      ServerMessage.message("D", ServerMessage.bytes(Int16(2)) + ServerMessage.bytes(Int32(-1))),
      ServerMessage.message("D", ServerMessage.bytes(Int16(1)) + ServerMessage.bytes(Int32(1_000_000)) + [1]),
      ServerMessage.message("D", ServerMessage.bytes(Int16(1)) + ServerMessage.bytes(Int32(-77))),
      // An unknown message, a length of 0, and one of 2 GB.
      ServerMessage.message("?", [1, 2, 3]), [UInt8(ascii: "D"), 0, 0, 0, 0], [UInt8(ascii: "C"), 0x7F, 255, 255, 255],
      // The start of a copy, and of the authentication again.
      ServerMessage.message("G", [0, 0, 0]), ServerMessage.message("R", ServerMessage.bytes(Int32(5)) + [1, 2, 3, 4]),
      // An error without its fields.
      ServerMessage.message("E", [0]), ServerMessage.message("E", []),
    ]
  )
  func `a malformed message ends in an error`(message: [UInt8]) async throws {
    let beginning = ServerMessage.parseComplete + ServerMessage.bindComplete + ServerMessage.rowDescription
    let outcome = try await select(from: beginning + message + Self.honest)
    guard case .failure(let error) = outcome else {
      Issue.record("\(message) gave \(outcome)")
      return
    }
    #expect(error.isFatal || error.code == .statement, "\(error)")
  }

  @Test func `answers to statements that were never sent are not taken for ours`() async throws {
    let outcome = try await select(from: ServerMessage.ready + Self.honest)
    guard case .failure(let error) = outcome else {
      Issue.record("gave \(outcome)")
      return
    }
    #expect(error.isFatal, "\(error)")
  }

  @Test func `a server that stays silent is not waited for without end`() async throws {
    guard case .failure(let error) = try await select(from: [], stays: true) else {
      Issue.record("no error")
      return
    }
    #expect(error.code == .timedOut)
    guard case .failure(let start) = try await select(from: [], stays: true, after: []) else {
      Issue.record("no error")
      return
    }
    #expect(start.code == .timedOut)
  }

  @Test func `a server of another protocol is not one`() async throws {
    let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
    guard case .failure(let error) = try await select(from: [], after: answer) else {
      Issue.record("no error")
      return
    }
    #expect(error.code == .connecting || error.code == .timedOut, "\(error)")
  }

  @Test(arguments: 0..<60) func `random changes of the answer never crash`(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var answer = Self.honest
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let index = Int.random(in: answer.indices, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: answer[index] = UInt8.random(in: 0...255, using: &random)
      case 1: answer.remove(at: index)
      default: answer.insert(contentsOf: answer[index...].prefix(9), at: index)
      }
    }
    // A changed row can still be a valid row, so the result is not compared.
    _ = try await select(from: answer)
  }
}
