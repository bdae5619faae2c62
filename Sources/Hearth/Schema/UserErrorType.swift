import GraphQL

extension UserError {
  static let binding = ObjectBinding(fields: [
    "field": .property { (error: UserError) in .list(error.field.map(LeafValue.string)) },
    "code": .property { (error: UserError) in .string(error.code.rawValue) },
    "message": .property { (error: UserError) in .string(error.message) },
  ])
}
