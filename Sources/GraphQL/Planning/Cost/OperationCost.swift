/// The maximum cost of an operation, computed before execution according to IBM's cost directives draft ("Static query
/// analysis").
package struct OperationCost: Hashable, Sendable {
  /// The sum of the weights of the resolved fields. By default, each resolution of a field of a composite type counts
  /// 1.
  package var fields: Double
  /// The sum of the weights of the returned objects. By default, each object counts 1.
  package var objects: Double

  package init(fields: Double, objects: Double) {
    self.fields = fields
    self.objects = objects
  }

  /// The request error if the cost exceeds `limit`, or nil. If `isLowerBound` is true, the operation costs at least
  /// this much.
  func error(ifOver limit: OperationCost, isLowerBound: Bool = false) -> GraphQLError? {
    let (name, own, allowed) =
      fields > limit.fields ? ("field", fields, limit.fields) : ("object", objects, limit.objects)
    guard own > allowed else { return nil }
    let amount = (isLowerBound ? "at least " : "") + LeafValue.text(own.rounded())
    return GraphQLError(
      """
      The operation's \(name) cost is \(amount), but at most \(LeafValue.text(allowed)) is allowed. \
      Ask for fewer \(name == "field" ? "fields" : "objects").
      """,
      code: .costExceeded
    )
  }
}
