/// What the end of a session requires besides the database.
protocol SessionEnding: Sendable {
  var endedSessions: EndedSessions { get }
  var clock: Clock { get }
}

extension Services: SessionEnding {}
extension FeatureServices: SessionEnding {}
