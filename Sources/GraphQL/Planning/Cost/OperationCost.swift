/// What an operation may cost at most, told before it runs, by IBM's cost directives draft ("Static query analysis").
package struct OperationCost: Hashable, Sendable {
  /// The fields resolved: by default one for each field that gives objects, each time it is resolved.
  package var fields: Double
  /// The objects given: by default one for each object.
  package var objects: Double

  package init(fields: Double, objects: Double) {
    self.fields = fields
    self.objects = objects
  }

  /// Why this is more than `limit` allows; nil where it is not. `isLeast` says that the operation costs this or more.
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
