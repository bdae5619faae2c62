/// What a plan is made of, apart from the resolvers: a valid document, the schema, and the values of a request by which
/// plans differ.
struct PlanInput {
  let schema: Schema
  let document: Document
  let fragments: Fragments
  /// The values of the Boolean variables in `@skip` and `@include`, by name, without those that are null.
  let conditions: [String: Bool]
  let variables: VariableValues
  let limits: PlanLimits
}
