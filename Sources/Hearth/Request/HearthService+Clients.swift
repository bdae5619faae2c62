import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer

/// The networks and people that requests count for.
extension HearthService {
  /// Behind a proxy the network is known once the headers are read, otherwise when the connection is accepted. Requests
  /// from this machine are not limited, because they may come from a proxy for any client.
  package func network(of request: HTTPRequest?, peer: String?) -> Payer? {
    let address = services.configuration.clientAddressHeader == nil ? peer : request.flatMap { self.address(of: $0) }
    return address.flatMap { ClientNetwork($0) }.map { Payer(.network, key: $0.lane.key) }
  }

  /// Uses the last address of the header, which the own proxy has added. Clients can forge the ones before it.
  package func address(of request: HTTPRequest) -> String? {
    guard let header = services.configuration.clientAddressHeader else { return request.peer }
    let comma = UInt8(ascii: ",")
    guard let value = request.lastValue(ofHeader: header), let end = value.lastIndex(where: { $0 != comma }) else {
      return nil
    }
    let start = value[...end].lastIndex(of: comma).map { $0 + 1 } ?? value.startIndex
    return value[start...end].text
  }

  package func admitConnection(from address: String?) -> GraphQLError? {
    let caller = RateLimits.Caller(network: address.flatMap(ClientNetwork.init))
    guard let wait = services.rateLimits.take(.connection, by: caller, at: services.clock.now()) else { return nil }
    return GraphQLError(.rateLimited(for: wait))
  }

  package func admitIntrospection(by context: RequestContext) -> GraphQLError? {
    let caller = RateLimits.Caller(network: context.client)
    guard let wait = services.rateLimits.take(.introspection, by: caller, at: context.now) else { return nil }
    return GraphQLError(.rateLimited(for: wait))
  }

  /// Requests count against the member's family, because an account can add children, each of whom is a person. Those
  /// of other callers count against the network. Requests from this machine do not count, because they may come from a
  /// proxy for any client.
  package func payer(of context: RequestContext) -> Payer? {
    if let viewer = context.unrecordedViewer { return Payer(family: viewer.family.rawValue) }
    return context.client.map { Payer(.network, key: $0.lane.key) }
  }

  package func client(of context: RequestContext) -> RequestRecord.Client {
    // A request that signs out has no viewer any more.
    guard let viewer = context.unrecordedViewer else { return context.client.map { .network($0.text) } ?? .unknown }
    return .person(services.cipher.text(of: viewer.member))
  }

  package func client(at address: String?) -> RequestRecord.Client {
    address.flatMap(ClientNetwork.init).map { .network($0.text) } ?? .unknown
  }
}
