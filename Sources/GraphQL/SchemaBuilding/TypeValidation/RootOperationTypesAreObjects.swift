/// The schema has a query root operation type, and its root operation types are distinct object types (specification,
/// section 3.3.1).
enum RootOperationTypesAreObjects {
  static func check(_ validation: inout TypeValidation) {
    let schema = validation.schema
    if validation.roots.query == nil {
      validation.report("Query root type must be provided.", at: [.schema])
    }
    var used: [(type: TypeID, operations: [OperationType])] = []
    for operation in OperationType.allCases {
      guard let type = validation.roots[operation] else { continue }
      guard schema[type].kind == .object else {
        let name = operation.defaultTypeName
        let condition = operation == .query ? "" : " if provided"
        validation.report(
          "\(name) root type must be Object type\(condition), it cannot be \(schema[type].name).",
          at: [.rootOperationType(operation)]
        )
        continue
      }
      if let index = used.firstIndex(where: { $0.type == type }) {
        used[index].operations.append(operation)
      } else {
        used.append((type, [operation]))
      }
    }
    for (type, operations) in used where operations.count > 1 {
      let names = operations.map(\.rawValue)
      let list =
        names.count == 2
        ? names.joined(separator: " and ")
        : names.dropLast().joined(separator: ", ") + ", and " + names[names.count - 1]
      validation.report(
        "All root types must be different, \"\(schema[type].name)\" type is used as \(list) root types.",
        at: operations.map { .rootOperationType($0) }
      )
    }
  }
}
