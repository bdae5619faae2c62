/// The limits on the size of a plan and the cost of an operation.
package struct PlanLimits: Hashable, Sendable {
  /// Levels of nested selection sets, with fragments expanded. Error code: `OPERATION_TOO_DEEP`.
  package var depth = 32
  /// Fields of all sets, for each possible type of an abstract type. Error code: `TOO_MANY_FIELDS`.
  package var fields = 10_000
  /// Selections visited while planning, counted each time a fragment is expanded, and those with long
  /// names more than once (`FieldCollection.visits`). Error code: `TOO_MANY_FIELDS`.
  var visits: Int { fields * 20 }
  /// The cost of an operation by the weights of `@cost` and `@listSize`. Error code: `COST_EXCEEDED`.
  package var cost = OperationCost(fields: 1_000_000, objects: 1_000_000)
  /// Bytes of the results of `__schema` and `__type`, which a plan stores. Error code: `INTROSPECTION_TOO_LARGE`.
  package var introspectionBytes = 1 << 20

  /// Fragments with `@defer`, for each possible type of an abstract type. Error code: `TOO_MANY_DEFERRED_PARTS`.
  package var deferredFragments = 100

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
