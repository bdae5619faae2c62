import Foundation
import HearthClient

/// What apps do, against a running server:
///
///     client-check family http://127.0.0.1:8080/graphql PICTURE
///     client-check news   http://127.0.0.1:PORT/graphql TOKEN
///
/// The first is for a server with demo data; the second for that of Hearth's own tests of subscriptions.
@main
enum ClientCheck {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let endpoint = URL(string: arguments[2]) else { throw CheckFailure("wrong arguments") }
    switch arguments[1] {
    case "family": try await FamilyCheck.run(endpoint, picture: URL(fileURLWithPath: arguments[3]))
    case "news": try await NewsCheck.run(endpoint, token: arguments[3])
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
