/// A value that a client gave, coerced to its type: an argument, a variable, a field of an input object.
package enum InputValue: Hashable, Sendable {
  case null
  case int(Int64)
  case float(Double)
  case boolean(Bool)
  /// Strings and IDs, and custom scalars that stay text.
  case string(String)
  /// The value's name.
  case enumeration(String)
  case list([InputValue])
  /// A file of the request, by its place among them. It comes from beside the JSON: no text or number is one.
  case upload(Int)
  /// Fields in the order of the definition; those that were neither given nor defaulted are absent.
  case object([InputField])
}

package struct InputField: Hashable, Sendable {
  package let name: String
  package let value: InputValue
  package init(name: String, value: InputValue) {
    self.name = name
    self.value = value
  }
}

extension InputValue {
  /// A field of an input object; nil where it is absent, which is not the same as `null`.
  package subscript(_ name: String) -> InputValue? {
    guard case .object(let fields) = self else { return nil }
    return fields.first { $0.name == name }?.value
  }

  package var isNull: Bool { self == .null }

  package var string: String? {
    switch self {
    case .string(let text), .enumeration(let text): text
    default: nil
    }
  }
  package var int: Int64? {
    if case .int(let number) = self { number } else { nil }
  }
  package var boolean: Bool? {
    if case .boolean(let truth) = self { truth } else { nil }
  }
  package var upload: Int? {
    if case .upload(let index) = self { index } else { nil }
  }
  package var list: [InputValue]? {
    if case .list(let items) = self { items } else { nil }
  }
}

/// The arguments of a field (specification, section 6.4.1), by name; absent ones are nil, which is not `null`.
package struct Arguments: Hashable, Sendable {
  package let fields: [InputField]

  package static let none = Arguments([])

  package init(_ fields: [InputField]) { self.fields = fields }

  package subscript(_ name: String) -> InputValue? {
    for field in fields where field.name == name { return field.value }
    return nil
  }
}
