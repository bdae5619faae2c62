import Foundation
import HearthClient

/// What apps do, against a running server:
///
///     client-check family http://127.0.0.1:8080/graphql PICTURE
///     client-check live   http://127.0.0.1:8080/graphql ACCESS-TOKEN REFRESH-TOKEN
///     client-check news   http://127.0.0.1:PORT/graphql TOKEN
///     client-check renewal http://127.0.0.1:PORT/graphql
///     client-check late-renewal http://127.0.0.1:PORT/graphql
///     client-check replaced http://127.0.0.1:PORT/graphql
///     client-check passing http://127.0.0.1:PORT/graphql
///     client-check once http://127.0.0.1:PORT/graphql
///     client-check unpositioned http://127.0.0.1:PORT/graphql
///     client-check encoding http://127.0.0.1:PORT/graphql
///     client-check sessions http://127.0.0.1:PORT/graphql
///
/// The first two are for a server with demo data, the third for that of Hearth's own tests of subscriptions. The next
/// three are for stubs that find tokens expired and renew none, or only after some time, or the first after another
/// sign-in. The three after them are for stubs that cannot deliver an event at first, that close each connection, and
/// that have no positions. The next check sends nothing, and the last is for a stub that ends sessions.
@main
enum ClientCheck {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count > 2, let endpoint = URL(string: arguments[2]) else { throw CheckFailure("wrong arguments") }
    switch (arguments[1], arguments.count) {
    case ("family", 4): try await FamilyCheck.run(endpoint, picture: URL(fileURLWithPath: arguments[3]))
    case ("live", 5):
      try await LiveCheck.run(endpoint, Credentials(accessToken: arguments[3], refreshToken: arguments[4]))
    case ("news", 4): try await NewsCheck.run(endpoint, token: arguments[3])
    case ("renewal", 3): try await RenewalCheck.run(endpoint)
    case ("late-renewal", 3): try await RenewalCheck.runLate(endpoint)
    case ("replaced", 3): try await RenewalCheck.runReplaced(endpoint)
    case ("passing", 3): try await PassingCheck.run(endpoint)
    case ("once", 3): try await OnceCheck.run(endpoint)
    case ("unpositioned", 3): try await PassingCheck.runUnpositioned(endpoint)
    case ("encoding", 3): try await EncodingCheck.run(endpoint)
    case ("sessions", 3):
      try await SessionCheck.run(endpoint)
      try await StoredCheck.run(endpoint)
    default: throw CheckFailure("wrong arguments")
    }
    print("ok")
  }
}

struct CheckFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Says what was not as it should be, and where.
func expect(_ condition: Bool, _ what: Any = "", line: Int = #line, file: StaticString = #fileID) throws {
  if !condition { throw CheckFailure("\(file):\(line): \(what)") }
}

func expectSome<Value>(_ value: Value?, line: Int = #line, file: StaticString = #fileID) throws -> Value {
  guard let value else { throw CheckFailure("\(file):\(line): nothing") }
  return value
}
