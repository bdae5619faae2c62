import HTTP

/// The response formats of recent requests by their Accept header. The clients of an app send a few values, and the
/// same ones with every request, so they are parsed once.
struct AcceptMemory {
  private var known: [(header: [UInt8], wanted: WantedResponse)] = []
  /// The response format of requests without the header.
  private var withoutHeader: WantedResponse?
  /// The entry that is replaced next.
  private var oldest = 0
  private static let maximumEntries = 8
  /// Longer headers are parsed for each request.
  private static let maximumBytes = 256

  /// Nil if the client accepts none of the available formats.
  mutating func wanted(by request: borrowing HTTPRequest) -> WantedResponse? {
    guard request.method != .head else { return WantedResponse(acceptedBy: request) }
    guard request.has(.accept) else {
      if let withoutHeader { return withoutHeader }
      withoutHeader = WantedResponse(acceptedBy: request)
      return withoutHeader
    }
    guard request.count(of: .accept) == 1 else { return WantedResponse(acceptedBy: request) }
    // Indices, because a copy of an entry would retain its header.
    for index in known.indices where request.has(.accept, known[index].header) { return known[index].wanted }
    guard let header = request[.accept], header.count <= Self.maximumBytes else {
      return WantedResponse(acceptedBy: request)
    }
    guard let wanted = WantedResponse(acceptedBy: request) else { return nil }
    insert(Array(header), as: wanted)
    return wanted
  }

  private mutating func insert(_ header: [UInt8], as wanted: WantedResponse) {
    guard known.count == Self.maximumEntries else { return known.append((header, wanted)) }
    known[oldest] = (header, wanted)
    oldest = (oldest + 1) % known.count
  }
}
