import Foundation
import Glibc
import GraphQL
import TestSupport

/// The cost of hostile documents, from their bytes to a plan or a rejection: with all limits on,
/// as they are served, and with none on validation but its budget.
enum HostileBenchmark {
  static func run() throws {
    let executable = try executable()
    let limited = Preparation(executable)
    var unlimited = limited
    unlimited.parsing = .trusted
    unlimited.validation?.limits.aliases = .max
    unlimited.validation?.limits.depth = .max
    unlimited.validation?.limits.directives = .max
    unlimited.validation?.limits.fragmentSpreads = .max
    unlimited.validation?.limits.introspectionLists = .max
    unlimited.validation?.limits.rootFields = .max
    for document in HostileDocument.all + HostileDocument.unreadable {
      let bytes = Array(document.text.utf8)
      let figures: [String: Any] = [
        "document": document.name, "bytes": bytes.count, "limited": milliseconds(limited, bytes),
        "unlimited": milliseconds(unlimited, bytes),
      ]
      print(String(decoding: try JSONSerialization.data(withJSONObject: figures, options: .sortedKeys), as: UTF8.self))
    }
  }

  /// The schema that the documents ask, its fields giving nothing.
  private static func executable() throws -> ExecutableSchema {
    let schema = try SchemaBuilder.build(HostileDocument.schema)
    var objects: [String: ObjectBinding] = [:]
    for type in schema.types where type.kind == .object && !type.name.hasPrefix("__") {
      let fields = type.fields.map { field -> (String, FieldBinding) in
        (
          field.name,
          schema[field.type.type].isComposite ? .load(needs: []) { _, _ in } : .leaf(needs: []) { _ in .null }
        )
      }
      let sources = type.name == "Subscription" ? type.fields.map { ($0.name, silence) } : []
      objects[type.name] = ObjectBinding(
        fields: Dictionary(uniqueKeysWithValues: fields),
        sources: Dictionary(uniqueKeysWithValues: sources)
      )
    }
    return try ExecutableSchema(schema, objects: objects)
  }

  private static let silence: SourceBinding = { _, _, _ in SourceStream(Topic("nothing"), visibility: 0) }

  /// The least of three runs: what else the machine does can only add to it.
  private static func milliseconds(_ preparation: Preparation, _ bytes: [UInt8]) -> Double {
    (0..<3).map { _ in
      let start = processorTime()
      if let operation = try? preparation.prepare(bytes, operationName: nil) {
        _ = try? operation.plan(for: .none)
      }
      return processorTime() - start
    }.min() ?? 0
  }

  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
  }
}
