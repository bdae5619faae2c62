/// How large a plan may become, and how much it may ask for.
package struct PlanLimits: Hashable, Sendable {
  /// Levels of selection sets, fragments spread out. Past it: `OPERATION_TOO_DEEP`.
  package var depth = 32
  /// Fields over all sets and all types that an abstract type may be. Past it: `TOO_MANY_FIELDS`.
  package var fields = 10_000
  /// Selections looked at while planning, each as often as fragments lead to it. Past it: `TOO_MANY_FIELDS`.
  var visits: Int { fields * 20 }
  /// What the operation may cost by the weights of `@cost` and `@listSize`. Past either: `COST_EXCEEDED`.
  package var cost = OperationCost(fields: 1_000_000, objects: 1_000_000)
  /// Bytes of the answers to `__schema` and `__type`, which a plan keeps. Past it: `INTROSPECTION_TOO_LARGE`.
  package var introspectionBytes = 1 << 20

  package init() {}
}

extension GraphQLError {
  static func operationTooDeep(_ limits: PlanLimits, at location: SourceLocation) -> GraphQLError {
    GraphQLError(
      "The operation selects fields deeper than \(limits.depth) levels.",
      at: [location],
      code: .operationTooDeep
    )
  }

  static func tooManyFields(_ limits: PlanLimits, at location: SourceLocation) -> GraphQLError {
    GraphQLError("The operation selects more than \(limits.fields) fields.", at: [location], code: .tooManyFields)
  }

  static func unknownField(_ name: String, of type: TypeDefinition, at location: SourceLocation) -> GraphQLError {
    GraphQLError(
      "Cannot query field \"\(name)\" on type \"\(type.name)\".",
      at: [location],
      code: .validationFailed
    )
  }
}

extension ErrorCode {
  package static let tooManyFields = ErrorCode(rawValue: "TOO_MANY_FIELDS")
  package static let costExceeded = ErrorCode(rawValue: "COST_EXCEEDED")
}
