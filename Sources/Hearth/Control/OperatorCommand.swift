import Foundation

/// A command of an operator to a running server. It is sent to the control socket as JSON.
package protocol OperatorCommand: Codable, Sendable {
  associatedtype Response: Codable & Sendable

  /// The words of the command, which are the path on the socket.
  static var words: String { get }
}

extension OperatorCommand {
  /// The path of the requests that send the command to the socket.
  package static var path: String { "/" + words.replacing(" ", with: "/") }
}

/// A command that the server executes.
protocol ServedCommand: OperatorCommand {
  /// Throws `CommandFailure` with a sentence for the operator.
  func run(on server: ControlledServer) async throws -> Response
}

/// Why a command was not executed, as a sentence for the operator.
package struct CommandFailure: Error, Codable, CustomStringConvertible {
  package let error: String
  package var description: String { error }

  package init(_ sentence: String) { error = sentence }
}

/// The JSON of the control socket.
package enum ControlJSON {
  /// For people too: `--json` prints it.
  package static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }

  package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: data)
  }
}

extension Date {
  /// - Parameter milliseconds: since 1970.
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
