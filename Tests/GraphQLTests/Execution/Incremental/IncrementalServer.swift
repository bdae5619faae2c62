import Bytes
import Foundation
import JSON

@testable import GraphQL

/// The zoo with `@defer` and `@stream`.
struct IncrementalServer {
  static let directives = """

    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
    """

  /// A response, and what was loaded for each of its parts.
  struct Response {
    var parts: [String] = []
    var loads: [[String: [Int]]] = []
    var moves = 0
  }

  let zoo: ZooServer

  init(limits: ExecutionLimits = ExecutionLimits()) throws {
    zoo = try ZooServer(executionLimits: limits, adding: Self.directives)
  }

  /// - Parameter format: Nil for a client that accepts only a complete response.
  func respond(
    _ request: ZooRequest,
    format: IncrementalFormat? = .current,
    onError: ErrorBehavior = .propagate,
    configure: (ZooContext) -> Void = { _ in }
  ) async throws -> Response {
    let context = ZooContext(zoo.executable.schema)
    configure(context)
    var response = Response()
    var loaded: [String: Int] = [:]
    func append(_ part: consuming ByteBuffer) {
      response.parts.append(String(decoding: part.array(), as: UTF8.self))
      response.loads.append(
        context.loads.compactMapValues { counts in counts }.reduce(into: [:]) { loads, load in
          let new = Array(load.value.dropFirst(loaded[load.key] ?? 0))
          if !new.isEmpty { loads[load.key] = new }
        }
      )
      loaded = context.loads.mapValues(\.count)
    }
    do {
      let operation = try zoo.preparation.prepare(Array(request.document.utf8), operationName: request.operationName)
      let variables = try VariableCoercion.coerce(
        GivenVariables(try request.variables.map { try JSONDocument(Array($0.utf8)).root }),
        to: operation.variables,
        in: zoo.executable.schema,
        suggests: true
      )
      switch try zoo.executor.start(
        operation,
        variables: variables,
        context: context,
        onError: onError,
        incremental: format
      ) {
      case .response(let complete): append(complete)
      case .waiting(let execution):
        append(try await zoo.executor.finish(execution))
        while execution.hasNext { append(await zoo.executor.nextPart(of: execution)) }
      }
    } catch let errors as GraphQLErrors {
      append(ErrorResponse.bytes(errors.errors))
    } catch let error as GraphQLError {
      append(ErrorResponse.bytes([error]))
    }
    response.moves = context.moves
    return response
  }

  func parts(_ document: String, _ variables: String? = nil, format: IncrementalFormat? = .current) async throws
    -> [String]
  {
    try await respond(ZooRequest(document: document, variables: variables), format: format).parts
  }
}

/// Merges the parts of a response as clients do: for the current format as graphql-js describes it, for the previous
/// one as Apollo Client's `Defer20220824Handler` does.
enum IncrementalMerge {
  /// - Returns: The data as JSON with sorted keys.
  static func data(of parts: [String], format: IncrementalFormat) throws -> String {
    var paths: [String: [Any]] = [:]
    var data: Any = NSNull()
    for (index, part) in parts.enumerated() {
      let part = try object(part)
      if index == 0 { data = part["data"] ?? NSNull() }
      for pending in part["pending"] as? [[String: Any]] ?? [] {
        paths[pending["id"] as? String ?? ""] = pending["path"] as? [Any]
      }
      for entry in part["incremental"] as? [[String: Any]] ?? [] {
        switch format {
        case .current:
          let path = (paths[entry["id"] as? String ?? ""] ?? []) + (entry["subPath"] as? [Any] ?? [])
          if let items = entry["items"] as? [Any] {
            data = merge(data, at: path[...]) { (($0 as? [Any]) ?? []) + items }
          } else if let fields = entry["data"] {
            data = merge(data, at: path[...]) { deepMerge($0, fields) }
          }
        case .previous:
          let path = entry["path"] as? [Any] ?? []
          if let items = entry["items"] as? [Any] {
            data = merge(data, at: path.dropLast()) { (($0 as? [Any]) ?? []) + items }
          } else if let fields = entry["data"] as? [String: Any] {
            data = merge(data, at: path[...]) { deepMerge($0, fields) }
          }
        }
      }
    }
    return text(data)
  }

  static func object(_ json: String) throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any] ?? [:]
  }

  static func text(_ value: Any) -> String {
    let data = try? JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed])
    return String(decoding: data ?? Data(), as: UTF8.self)
  }

  private static func merge(_ value: Any, at path: ArraySlice<Any>, _ body: (Any) -> Any) -> Any {
    guard let step = path.first else { return body(value) }
    if let key = step as? String, var fields = value as? [String: Any] {
      fields[key] = merge(fields[key] ?? NSNull(), at: path.dropFirst(), body)
      return fields
    }
    if let index = step as? Int, var items = value as? [Any], items.indices.contains(index) {
      items[index] = merge(items[index], at: path.dropFirst(), body)
      return items
    }
    return value
  }

  private static func deepMerge(_ one: Any, _ other: Any) -> Any {
    if let fields = one as? [String: Any], let others = other as? [String: Any] {
      return fields.merging(others) { deepMerge($0, $1) }
    }
    if let items = one as? [Any], let others = other as? [Any], items.count == others.count {
      return zip(items, others).map { deepMerge($0, $1) }
    }
    return other
  }
}
