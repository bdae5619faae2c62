import Bytes
import GraphQL
import JSON

/// What the response says of the cost and the times of its request. Made only for requests that ask for it
/// (`extensions.trace`).
final class RequestMeasurement {
  /// The additions to a response.
  struct Report: Sendable {
    /// The value of `extensions`.
    let extensions: String
    /// The value of the header `Server-Timing`; nil if nothing was executed.
    let timing: String?
  }

  let levels = LevelTimes()
  /// Nil until the operation is prepared.
  var operation: PreparedOperation?
  var variables = VariableValues.none
  /// Nil until the request is finished, and for callers who may not see it.
  private(set) var report: Report?

  /// More fields of a level are not named.
  private static let maximumFields = 20

  /// Ends the measurement of an executed request.
  /// - Parameter events: The positions of the events that its writes have stored.
  func finish(cost: OperationCost?, nanoseconds: UInt64, statements: [RequestRecord.Step], events: [String]) {
    var json = ByteBuffer(capacity: 1024)
    json.append("{\"trace\":{\"milliseconds\":\(ByteBuffer.milliseconds(nanoseconds))")
    if let cost { json.append(",\"cost\":{\(Self.members(of: cost))}") }
    json.append(",\"levels\":[")
    for (index, level) in levels.levels.enumerated() {
      if index > 0 { json.append(",") }
      json.append("{\"depth\":\(level.depth),\"milliseconds\":\(ByteBuffer.milliseconds(level.nanoseconds))")
      json.append(",\"objects\":\(level.objects),\"fields\":[")
      for (place, field) in level.fields.prefix(Self.maximumFields).enumerated() {
        if place > 0 { json.append(",") }
        json.append(jsonString: field)
      }
      json.append("]}")
    }
    json.append("],\"statements\":[")
    for (index, step) in statements.enumerated() {
      if index > 0 { json.append(",") }
      json.append(
        "{\"milliseconds\":\(ByteBuffer.milliseconds(step.nanoseconds)),\"count\":\(step.count),\"statement\":"
      )
      json.append(jsonString: step.text)
      json.append("}")
    }
    json.append("],\"events\":[")
    for (index, event) in events.enumerated() {
      if index > 0 { json.append(",") }
      json.append(jsonString: event)
    }
    json.append("]}}")
    report = Report(
      extensions: String(decoding: json.array(), as: UTF8.self),
      timing: timing(nanoseconds: nanoseconds, statements: statements.reduce(0) { $0 + $1.nanoseconds })
    )
  }

  /// Ends the measurement of a validated request.
  func finish(cost: OperationCost?, limit: OperationCost) {
    guard let cost else { return }
    let text = "{\"cost\":{\(Self.members(of: cost)),\"maximum\":{\(Self.members(of: limit))}}}"
    report = Report(extensions: text, timing: nil)
  }

  private static func members(of cost: OperationCost) -> String {
    // Operations of a higher cost than the limit, which is an integer, are rejected.
    "\"fields\":\(Int(cost.fields.rounded())),\"objects\":\(Int(cost.objects.rounded()))"
  }

  /// Server Timing, section 4: names are tokens, and durations milliseconds.
  private func timing(nanoseconds: UInt64, statements: UInt64) -> String {
    var metrics = ["total;dur=\(ByteBuffer.milliseconds(nanoseconds))"]
    if statements > 0 { metrics.append("statements;dur=\(ByteBuffer.milliseconds(statements))") }
    for (index, level) in levels.levels.prefix(Self.maximumFields).enumerated() {
      metrics.append(
        "level\(index);desc=\"\(level.fields[0])\";dur=\(ByteBuffer.milliseconds(level.nanoseconds))"
      )
    }
    return metrics.joined(separator: ", ")
  }
}
