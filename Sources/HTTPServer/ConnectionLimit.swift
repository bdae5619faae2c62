import Basics

/// How many connections a server may have, so that the process keeps descriptors for everything else: without one, its
/// database cannot open a file, and libdispatch ends the process.
struct ConnectionLimit: Equatable {
  /// Descriptors that are kept for what is not of a loop: commands, pictures, mails, requests to other servers.
  private static let reserved = 64

  /// Beyond this number, a new connection gets status 503.
  let maximum: Int
  /// A new connection whose descriptor is not below this number is closed without a response, because connections with
  /// status 503 keep their descriptors for some seconds too.
  let descriptorLimit: Int

  /// The limit of a server whose few connections use descriptors that another server keeps free.
  init(withinReserve options: HTTPServerOptions) {
    maximum = options.maximumConnections
    descriptorLimit = .max
  }

  /// - Parameters:
  ///   - descriptors: The number of descriptors that the process may have.
  ///   - openCount: How many of them are open before the first connection.
  init(
    _ options: HTTPServerOptions,
    loops: Int,
    descriptors: Int = DescriptorLimit.current,
    openCount: Int = DescriptorLimit.openCount
  ) {
    let free = max(descriptors - openCount, 0)
    // With a very low limit, half of them serve clients.
    let reserved = min(Self.reserved + loops * options.descriptorsPerLoop, free / 2)
    maximum = max(min(options.maximumConnections, free - reserved), 1)
    descriptorLimit = descriptors - reserved / 2
  }
}
