import Bytes
import JSON

/// What sends traces and metrics, in the JSON encoding of the OpenTelemetry protocol
/// (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding).
struct OTLPResource: Sendable {
  private let resource: [UInt8]
  private let scope: [UInt8]

  /// - Parameter instance: distinguishes the process from others of the same service.
  init(service: String, version: String, instance: String) {
    var resource = ByteBuffer()
    resource.append("{\"resource\":{\"attributes\":[")
    for (index, pair) in [
      ("service.name", service), ("service.version", version), ("service.instance.id", instance),
    ].enumerated() {
      if index > 0 { resource.append(",") }
      resource.append(attribute: pair.0, text: pair.1)
    }
    resource.append("]},")
    self.resource = resource.array()
    var scope = ByteBuffer()
    scope.append("[{\"scope\":{\"name\":")
    scope.append(jsonString: service)
    scope.append(",\"version\":")
    scope.append(jsonString: version)
    scope.append("},")
    self.scope = scope.array()
  }

  /// Writes a message with one scope, whose elements `body` writes.
  func write(
    resources: StaticString,
    scopes: StaticString,
    elements: StaticString,
    into output: inout ByteBuffer,
    _ body: (inout ByteBuffer) -> Void
  ) {
    output.append("{\"")
    output.append(resources)
    output.append("\":[")
    output.append(resource)
    output.append("\"")
    output.append(scopes)
    output.append("\":")
    output.append(scope)
    output.append("\"")
    output.append(elements)
    output.append("\":[")
    body(&output)
    output.append("]}]}]}")
  }
}

extension ByteBuffer {
  mutating func append(attribute name: String, text: String) {
    append("{\"key\":")
    append(jsonString: name)
    append(",\"value\":{\"stringValue\":")
    append(jsonString: text)
    append("}}")
  }

  /// Appends the 16 hexadecimal digits of a number.
  mutating func append(hexadecimal number: UInt64) {
    appendUnsafe(capacity: 16) { target in
      var rest = number
      var at = 15
      while at >= 0 {
        let digit = UInt8(truncatingIfNeeded: rest & 15)
        target.storeBytes(of: digit < 10 ? digit + 0x30 : digit + 0x57, toByteOffset: at, as: UInt8.self)
        rest >>= 4
        at -= 1
      }
      return 16
    }
  }

  /// Appends a time as a string of digits: 64-bit integers are strings in JSON.
  mutating func append(nanoseconds: UInt64) {
    // The times of a trace are from 2001 to 2286 and have 19 digits, written without counting them first.
    guard (1_000_000_000_000_000_000..<10_000_000_000_000_000_000).contains(nanoseconds) else {
      append("\"")
      append(decimal: Int64(clamping: nanoseconds))
      return append("\"")
    }
    appendUnsafe(capacity: 21) { target in
      target.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
      target.storeBytes(of: UInt8(ascii: "\""), toByteOffset: 20, as: UInt8.self)
      var rest = nanoseconds
      var at = 19
      while at > 0 {
        target.storeBytes(of: UInt8(truncatingIfNeeded: rest % 10) &+ 0x30, toByteOffset: at, as: UInt8.self)
        rest /= 10
        at &-= 1
      }
      return 21
    }
  }
}
