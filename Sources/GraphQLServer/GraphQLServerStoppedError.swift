/// The start of a server that has been shut down.
public struct GraphQLServerStoppedError: Error, CustomStringConvertible, Sendable {
  public var description: String { "The server has been shut down. Create another one to serve again." }
}
