import Basics
import Bytes
import GraphQLTransport

/// The numbers of the fields of a span.
enum SpanField {
  static let trace: UInt8 = 1
  static let id: UInt8 = 2
  static let state: UInt8 = 3
  static let parent: UInt8 = 4
  static let name: UInt8 = 5
  static let kind: UInt8 = 6
  static let start: UInt8 = 7
  static let end: UInt8 = 8
  static let attribute: UInt8 = 9
  static let status: UInt8 = 15
}

enum SpanKind {
  static let `internal` = 1
  static let server = 2
  static let client = 3
}

/// What the spans of one kind of step have in common: their name, their kind and their attributes, of which only
/// numbers differ. Copying it takes a third less than writing it again for each of them.
final class StepTemplate {
  private let database: StaticString
  private let bytes: [UInt8]
  /// The offsets of the numbers, which are one byte each.
  private let numbers: [Int]

  init(of step: RequestTrace.Step, in trace: RequestTrace) {
    database = trace.database
    var output = ByteBuffer()
    var numbers: [Int] = []
    Self.appendHead(of: step, to: &output)
    trace.forEachAttribute(of: step) { name, value in
      if case .number = value {
        output.append(attribute: name, .number(0), field: SpanField.attribute)
        numbers.append(output.count - 1)
      } else {
        output.append(attribute: name, value, field: SpanField.attribute)
      }
    }
    bytes = output.array()
    self.numbers = numbers
  }

  func isOf(_ database: StaticString) -> Bool { database.utf8Start == self.database.utf8Start }

  /// Whether the numbers of a step take one byte each.
  func fits(_ step: RequestTrace.Step) -> Bool { (0..<128).contains(step.count) && (0..<128).contains(step.rows) }

  /// The step must fit.
  func append(_ step: RequestTrace.Step, of trace: RequestTrace, to output: inout ByteBuffer) {
    let start = output.count
    output.append(bytes)
    guard !numbers.isEmpty else { return }
    var index = 0
    trace.forEachAttribute(of: step) { _, value in
      guard case .number(let number) = value else { return }
      output.replaceByte(at: start + numbers[index], withVarint: number)
      index += 1
    }
  }

  static func appendDescription(of step: RequestTrace.Step, in trace: RequestTrace, to output: inout ByteBuffer) {
    appendHead(of: step, to: &output)
    trace.forEachAttribute(of: step) { output.append(attribute: $0, $1, field: SpanField.attribute) }
  }

  private static func appendHead(of step: RequestTrace.Step, to output: inout ByteBuffer) {
    output.append(field: SpanField.name, step.spanName)
    output.append(field: SpanField.kind, step.isOfDatabase ? SpanKind.client : SpanKind.internal)
  }
}
