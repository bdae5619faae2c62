import GraphQL

extension UserError {
  static let binding = ObjectBinding(fields: [
    "field": .property { (error: UserError) in .list(error.field.map(LeafValue.string)) },
    "code": .property { (error: UserError) in .string(error.code.rawValue) },
    "reason": .property { (error: UserError) in LeafValue(error.reason?.rawValue) },
    "message": .property { (error: UserError) in .string(error.message.text) },
    "parameters": .values { (error: UserError) in error.message.parameters },
  ])
}

extension UserError.Parameter {
  static let binding = ObjectBinding(fields: [
    "name": .property { (parameter: UserError.Parameter) in .string(parameter.name) },
    "value": .property { (parameter: UserError.Parameter) in .string(parameter.value) },
  ])
}
