import Bytes

extension ResponseWriter {
  /// The errors in the form in which they are sent.
  var reportedErrors: [GraphQLError] { errors.isEmpty ? [] : errors.list(in: document.source) }

  mutating func report(_ failure: FieldFailure, field: Int32) {
    hasNoErrors = false
    if isHalted { return }
    if onError == .halt { isHalted = true }
    guard !errors.isFull else {
      errors.omit()
      return
    }
    let field = plan.fields[Int(field)]
    errors.append(
      GraphQLError(
        failure.error,
        path: path.indices.map { index in
          let step = path[index]
          return step < 0 ? .index(Int(-1 - step)) : .key(plan.responseKey(of: plan.fields[Int(step)]))
        }
      ),
      at: failure.origin.starts(in: document, of: field.nodes)
    )
  }

  /// Reports null for a non-null field. This is a defect of the server, so it is also logged.
  mutating func reportNull(_ field: Int32) {
    let coordinate = plan.coordinate(of: Int(field))
    report(ResultError("Cannot return null for non-nullable field \(coordinate)."), field: field)
  }

  mutating func report(_ error: ResultError, field: Int32) {
    report(FieldFailure(context.clientError(for: error, at: plan.coordinate(of: Int(field)))), field: field)
  }
}
