import Foundation

/// A value that can be used in variables.
public protocol GraphQLInput: Sendable {
  /// The value as it is sent.
  var inputValue: GraphQLInputValue { get }
}

/// A value of a variable, in the form in which it is sent.
public indirect enum GraphQLInputValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case list([GraphQLInputValue])
  case object([GraphQLInputField])
  /// Null in the JSON of the request. The file is another part of the form.
  case upload(UploadFile)
}

/// A field of an input object, or a variable. It is omitted if it has no value.
public struct GraphQLInputField: Sendable {
  /// The name of the field or the variable.
  public let name: String
  /// Nil if it is omitted.
  public let value: GraphQLInputValue?

  /// For an input without a default value.
  public init(_ name: String, _ value: some GraphQLInput) {
    self.name = name
    self.value = value.inputValue
  }

  /// For a nullable input.
  public init<Value: GraphQLInput>(_ name: String, _ value: GraphQLNullable<Value>) {
    self.name = name
    switch value {
    case .absent: self.value = nil
    case .null: self.value = .null
    case .value(let value): self.value = value.inputValue
    }
  }

  /// For a non-null input with a default value: nil omits it.
  public init<Value: GraphQLInput>(_ name: String, _ value: Value?) {
    self.name = name
    self.value = value?.inputValue
  }
}

/// An input that can be absent or null, which differ: an absent field of an update stays unchanged.
public indirect enum GraphQLNullable<Value: Sendable>: Sendable {
  /// The input is omitted.
  case absent
  /// The input is null.
  case null
  /// The input has a value.
  case value(Value)

  /// Converts nil to null.
  public static func orNull(_ value: Value?) -> Self { value.map { .value($0) } ?? .null }
  /// Omits the input if the value is nil.
  public static func orAbsent(_ value: Value?) -> Self { value.map { .value($0) } ?? .absent }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Value == String {
  public init(unicodeScalarLiteral value: String) { self = .value(value) }
}
extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral where Value == String {
  public init(extendedGraphemeClusterLiteral value: String) { self = .value(value) }
}
extension GraphQLNullable: ExpressibleByStringLiteral where Value == String {
  public init(stringLiteral value: String) { self = .value(value) }
}
extension GraphQLNullable: ExpressibleByIntegerLiteral where Value == Int {
  public init(integerLiteral value: Int) { self = .value(value) }
}
extension GraphQLNullable: ExpressibleByBooleanLiteral where Value == Bool {
  public init(booleanLiteral value: Bool) { self = .value(value) }
}

/// An input object of the schema.
public protocol GraphQLInputObject: GraphQLInput {
  /// The fields. One without a value is omitted.
  var fields: [GraphQLInputField] { get }
}

extension GraphQLInputObject {
  public var inputValue: GraphQLInputValue { .object(fields) }
}

extension String: GraphQLInput {
  public var inputValue: GraphQLInputValue { .string(self) }
}
extension Int: GraphQLInput {
  public var inputValue: GraphQLInputValue { .integer(self) }
}
extension Double: GraphQLInput {
  public var inputValue: GraphQLInputValue { .number(self) }
}
extension Bool: GraphQLInput {
  public var inputValue: GraphQLInputValue { .boolean(self) }
}
extension Array: GraphQLInput where Element: GraphQLInput {
  public var inputValue: GraphQLInputValue { .list(map(\.inputValue)) }
}
/// In lists, nil is null.
extension Optional: GraphQLInput where Wrapped: GraphQLInput {
  public var inputValue: GraphQLInputValue { self?.inputValue ?? .null }
}
extension Date: GraphQLInput {
  public var inputValue: GraphQLInputValue { .string(formatted(ISO8601Moment.exact)) }
}

/// The format of times: RFC 3339, with or without fractions of a second.
enum ISO8601Moment {
  static let exact = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  static let whole = Date.ISO8601FormatStyle()

  static func date(_ text: String) -> Date? {
    (try? Date(text, strategy: whole)) ?? (try? Date(text, strategy: exact))
  }
}
