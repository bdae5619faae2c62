import Bytes
import GraphQLTransport

/// What sends traces and metrics, in the messages of the OpenTelemetry protocol
/// (https://github.com/open-telemetry/opentelemetry-proto).
///
/// The messages of traces and of metrics have the same numbers of fields as far as the list of spans or metrics.
struct OTLPResource: Sendable {
  private let resource: [UInt8]
  private let scope: [UInt8]

  /// - Parameter instance: distinguishes the process from others of the same service.
  init(service: String, version: String, instance: String) {
    var resource = ByteBuffer()
    resource.append(field: 1) { resource in
      resource.append(attribute: "service.name", .text(service), field: 1)
      resource.append(attribute: "service.version", .text(version), field: 1)
      resource.append(attribute: "service.instance.id", .text(instance), field: 1)
    }
    self.resource = resource.array()
    var scope = ByteBuffer()
    scope.append(field: 1) { scope in
      scope.append(field: 1, service)
      scope.append(field: 2, version)
    }
    self.scope = scope.array()
  }

  /// Writes an export request with one scope. `body` writes its spans or metrics, each as a field with the number 2.
  func write(into output: inout ByteBuffer, _ body: (inout ByteBuffer) -> Void) {
    output.append(field: 1) { output in
      output.append(resource)
      output.append(field: 2) { output in
        output.append(scope)
        body(&output)
      }
    }
  }
}

extension ByteBuffer {
  mutating func append(attribute name: StaticString, _ value: TraceValue, field: UInt8) {
    let size =
      switch value {
      case .fixed(let text): Self.fieldSize(of: text.utf8CodeUnitCount)
      case .text(let text): Self.fieldSize(of: text.utf8.count)
      case .number(let number): 1 + Self.varintSize(of: number)
      }
    append(field: field, messageOf: Self.fieldSize(of: name.utf8CodeUnitCount) + Self.fieldSize(of: size))
    append(field: 1, name)
    append(field: 2, messageOf: size)
    switch value {
    case .fixed(let text): append(field: 1, text)
    case .text(let text): append(field: 1, text)
    case .number(let number): append(field: 3, number)
    }
  }
}
