import Bytes
import JSON

/// Encodes errors as JSON (specification, section 7.1).
package enum ErrorResponse {
  /// A response that consists of request errors. The request was not executed.
  package static func bytes(_ errors: [GraphQLError]) -> ByteBuffer {
    var output = ByteBuffer(capacity: 512)
    output.append("{\"errors\":")
    append(list: errors, to: &output)
    output.append("}")
    return output
  }

  /// The response to an operation whose result exceeds the size limit.
  static func tooLarge(_ limit: Int) -> ByteBuffer { withoutData(tooLargeError(limit)) }

  static func tooLargeError(_ limit: Int) -> GraphQLError {
    GraphQLError("The response has more than \(limit) bytes. Select fewer fields or items.", code: .responseTooLarge)
  }

  /// The response to an operation that was executed, and whose result cannot be returned.
  static func withoutData(_ error: GraphQLError) -> ByteBuffer {
    var output = ByteBuffer(capacity: 256)
    output.append("{\"data\":null")
    append([error], to: &output)
    output.append("}")
    return output
  }

  /// Appends `,"errors":[…]` if there are errors.
  static func append(_ errors: [GraphQLError], to output: inout ByteBuffer) {
    guard !errors.isEmpty else { return }
    output.append(",\"errors\":")
    append(list: errors, to: &output)
  }

  /// Appends `[…]`.
  package static func append(list errors: [GraphQLError], to output: inout ByteBuffer) {
    output.append(UInt8(ascii: "["))
    for (index, error) in errors.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      append(error, to: &output)
    }
    output.append(UInt8(ascii: "]"))
  }

  private static func append(_ error: GraphQLError, to output: inout ByteBuffer) {
    output.append("{\"message\":")
    output.append(jsonString: error.message)
    if !error.locations.isEmpty {
      output.append(",\"locations\":[")
      for (index, location) in error.locations.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        output.append("{\"line\":")
        output.append(decimal: Int64(location.line))
        output.append(",\"column\":")
        output.append(decimal: Int64(location.column))
        output.append("}")
      }
      output.append("]")
    }
    append(error.path, to: &output)
    output.append(",\"extensions\":{\"code\":")
    output.append(jsonString: error.code.rawValue)
    if let seconds = error.retryAfter {
      output.append(",\"retryAfter\":")
      output.append(decimal: seconds)
    }
    append(error.inputPath, to: &output)
    if !error.extensionMembers.isEmpty { output.append(Array(error.extensionMembers.utf8)) }
    output.append("}}")
  }

  /// Appends `,"path":[…]` unless the path is empty.
  private static func append(_ path: [PathSegment], to output: inout ByteBuffer) {
    guard !path.isEmpty else { return }
    output.append(",\"path\":[")
    for (index, segment) in path.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      switch segment {
      case .key(let key): output.append(jsonString: key)
      case .index(let index): output.append(decimal: Int64(index))
      }
    }
    output.append("]")
  }
}
