/// Checks the arguments of `@cost` and `@listSize`. A weight or a name that the analysis cannot use would otherwise be
/// ignored, and operations would cost less than the schema states.
enum CostDirectiveFaults {
  /// A sentence for each fault, which names the schema coordinate.
  static func all(in schema: Schema) -> [String] {
    var faults: [String] = []
    for type in schema.types {
      checkWeight(type.directives, at: type.name, faults: &faults)
      for field in type.fields {
        let coordinate = "\(type.name).\(field.name)"
        checkWeight(field.directives, at: coordinate, faults: &faults)
        for argument in field.arguments {
          checkWeight(argument.directives, at: "\(coordinate)(\(argument.name):)", faults: &faults)
        }
        checkListSize(of: field, at: coordinate, in: schema, faults: &faults)
      }
      for field in type.inputFields {
        checkWeight(field.directives, at: "\(type.name).\(field.name)", faults: &faults)
      }
    }
    return faults
  }

  private static func checkWeight(_ directives: [AppliedDirective], at coordinate: String, faults: inout [String]) {
    guard let cost = directives.first(where: { $0.name == "cost" }),
      let literal = cost.arguments.first(where: { $0.name == "weight" })?.literal, literal != "null",
      SchemaWeights.weight(directives)?.isFinite != true
    else { return }
    faults.append("\(coordinate): the weight of @cost must be a finite number in a string, not \(literal).")
  }

  private static func checkListSize(
    of field: FieldDefinition,
    at coordinate: String,
    in schema: Schema,
    faults: inout [String]
  ) {
    guard let listSize = field.directives.first(where: { $0.name == "listSize" }) else { return }
    for name in listSize.strings("slicingArguments") where !field.arguments.contains(where: { $0.name == name }) {
      faults.append("\(coordinate) has no argument \(name), which its @listSize has in slicingArguments.")
    }
    let type = schema[field.type.type]
    // The fields of an abstract type's object types are sized too.
    let sized = Set((type.fields + type.possibleTypes.flatMap { schema[$0].fields }).map(\.name))
    for name in listSize.strings("sizedFields") where !sized.contains(name) {
      faults.append("\(type.name) has no field \(name), which the @listSize of \(coordinate) has in sizedFields.")
    }
  }
}
