import Foundation

/// An HTTP response as received.
struct HTTPAnswer: Equatable, Sendable {
  let status: Int
  /// By lower-case name.
  let headers: [String: String]
  let body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: Value { (try? Value(body)) ?? .null }

  /// Whether the operation was executed, be it with field errors: a partial success is 294.
  var isExecuted: Bool { status == 200 || status == 294 && !json["errors"].list.isEmpty }

  /// The codes of the response's errors in order.
  var codes: [String] { json["errors"].each("extensions.code").compactMap(\.string) }
}
