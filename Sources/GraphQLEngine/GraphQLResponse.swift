import GraphQL
import JSON

/// A response of a `GraphQLExecutor`, for servers that send it and for tests.
///
/// ```swift
/// let response = GraphQLResponse(json: await executor.execute("{ books { title } }", context: context))
/// #expect(response.data["books"][0]["title"] == "Frankenstein")
/// ```
public struct GraphQLResponse: Hashable, Sendable {
  /// The response as JSON.
  public let json: String

  private let answersUnreadableBody: Bool

  /// Creates a response from its JSON.
  public init(json: String) { (self.json, answersUnreadableBody) = (json, false) }

  /// Creates the response to a body that is not a JSON object.
  init(toUnreadableBody json: String) { (self.json, answersUnreadableBody) = (json, true) }

  /// The status of the response in HTTP, with the media type `application/graphql-response+json`: 200 without errors,
  /// 294 for data with errors, 400 for a body or document that cannot be parsed, and 422 if nothing was executed for
  /// another reason.
  ///
  /// With `application/json`, clients expect 200 for each of them.
  public var status: Int {
    if answersUnreadableBody { return 400 }
    // A response ends with its errors, and without errors with an object or null.
    guard json.utf8.dropLast().last == UInt8(ascii: "]") else { return 200 }
    if json.utf8.starts(with: #"{"data":"#.utf8) { return 294 }
    return errors.first.map { Self.unparsedCodes.contains($0["extensions"]["code"]) } ?? false ? 400 : 422
  }

  /// The codes of documents that are not parsed to their end.
  private static let unparsedCodes: Set<GraphQLValue> = [
    "GRAPHQL_PARSE_FAILED", "DOCUMENT_TOO_LARGE", "TOO_MANY_TOKENS", "NESTING_TOO_DEEP",
  ]

  /// The data; `null` if nothing was executed. It is read from the JSON each time.
  public var data: GraphQLValue { value["data"] }

  /// The errors, as in the response. They are read from the JSON each time.
  public var errors: [GraphQLValue] {
    if case .list(let errors) = value["errors"] { errors } else { [] }
  }

  private var value: GraphQLValue {
    // Custom scalars can be nested more deeply than a client's values.
    let limits = JSONLimits(bytes: .max, depth: 1000)
    return (try? JSONDocument(Array(json.utf8), limits: limits)).map { GraphQLValue($0.root) } ?? .null
  }
}

extension GraphQLValue {
  /// The member of an object; `null` if it has none of this name, or the value is not an object.
  public subscript(name: String) -> GraphQLValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// The item of a list; `null` if it has none at this index, or the value is not a list.
  public subscript(index: Int) -> GraphQLValue {
    if case .list(let items) = self, items.indices.contains(index) { items[index] } else { .null }
  }

  /// A value of a response.
  fileprivate init(_ json: JSONValue) {
    switch json.kind {
    // A number that is too large for a `Double`.
    case .number where json.double == nil: self = .null
    case .null, .boolean, .string, .number: self = GraphQLValue(InputValue(leaf: json)) ?? .null
    case .array: self = .list(json.elements?.map { GraphQLValue($0) } ?? [])
    case .object:
      var members: [String: GraphQLValue] = [:]
      if let given = json.members {
        for member in given { members[member.key.string ?? ""] = GraphQLValue(member.value) }
      }
      self = .object(members)
    }
  }
}

extension GraphQLValue: Encodable {
  /// Encodes the value, so that an encoder of JSON writes the JSON that it is.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .string(let text): try container.encode(text)
    case .int(let number): try container.encode(number)
    case .double(let number) where number.isFinite: try container.encode(number)
    case .boolean(let isTrue): try container.encode(isTrue)
    case .list(let items): try container.encode(items)
    case .object(let members): try container.encode(members)
    case .null, .double: try container.encodeNil()
    }
  }
}
