/// The coerced variables of a request (specification, section 6.1.2). A variable that was neither provided nor has a
/// default value is absent.
package struct VariableValues: Hashable, Sendable {
  private let names: [String]
  private let values: Values
  /// The index of each variable by name, if there are many variables. A linear search is faster for a few, but a
  /// document can declare thousands and look up each by name.
  private let indices: [String: Int]?

  /// The maximum number of elements for which a linear search is used.
  static let handful = 8

  package static let none = VariableValues(names: [], values: [])

  package init(names: [String], values: [InputValue?]) {
    self.init(names: names, values: values.count == 1 ? .one(values[0]) : .list(values))
  }

  /// The value of the only variable.
  init(names: [String], value: InputValue?) { self.init(names: names, values: .one(value)) }

  private init(names: [String], values: Values) {
    self.names = names
    self.values = values
    indices =
      names.count <= Self.handful
      ? nil : Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(_ name: String) -> InputValue? {
    if let indices { return indices[name].flatMap { values[$0] } }
    for index in names.indices where names[index] == name { return values[index] }
    return nil
  }

  /// The value of the variable at an index in the operation's variable definitions.
  package subscript(_ index: Int) -> InputValue? { values[index] }

  /// Most operations with variables have one, for which an array would be allocated by each request.
  private enum Values: Hashable, Sendable {
    case one(InputValue?)
    /// None, or at least two.
    case list([InputValue?])

    subscript(_ index: Int) -> InputValue? {
      switch self {
      case .one(let value):
        precondition(index == 0)
        return value
      case .list(let values): return values[index]
      }
    }
  }
}
