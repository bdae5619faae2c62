import GraphQL

/// What the requests of a loop share. One object, because each request retains it.
final class LoopParts {
  let services: Services
  let types: KindTypes
  let slowCallers = SlowCallers()

  init(_ services: Services, schema: Schema) {
    self.services = services
    types = KindTypes(schema)
  }
}
