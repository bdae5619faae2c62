import EventLoop
import GraphQL

/// What the requests of a loop share. One object, because each request retains it.
final class LoopParts {
  let services: Services
  let loop: EventLoop
  let types: KindTypes
  let slowCallers = SlowCallers()

  init(_ services: Services, on loop: EventLoop, schema: Schema) {
    self.services = services
    self.loop = loop
    types = KindTypes(schema)
  }
}
