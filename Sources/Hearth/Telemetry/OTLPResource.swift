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
    append(field: field) { output in
      output.append(field: 1, name)
      output.append(field: 2) { output in
        switch value {
        case .fixed(let text): output.append(field: 1, text)
        case .text(let text): output.append(field: 1, text)
        case .number(let number): output.append(field: 3, number)
        }
      }
    }
  }
}
