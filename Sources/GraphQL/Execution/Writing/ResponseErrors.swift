/// The field errors of a response, up to a limit.
struct ResponseErrors {
  /// An error before the offsets of its locations are converted to lines and columns.
  private struct Reported {
    let error: GraphQLError
    let offsets: [UInt32]
  }

  private var reported: [Reported] = []
  /// Lowered to the number of errors when they are too long.
  private var limit: Int
  private var omitted = 0

  /// The number of bytes of messages and paths from which further errors are omitted. A message can quote the request,
  /// and a response key can be as long as the document.
  private static let maximumBytes = 64 << 10

  init(limit: Int) { self.limit = limit }

  /// Whether further errors are only counted, so that the caller need not create them.
  var isFull: Bool { reported.count >= limit }

  var isEmpty: Bool { reported.isEmpty && omitted == 0 }

  /// The number of errors that are reported. They are the first ones of `list(in:)`.
  var count: Int { reported.count }

  /// - Parameter offsets: The locations of the error in the source, besides those that it has.
  mutating func append(_ error: GraphQLError, at offsets: [UInt32] = []) {
    reported.append(Reported(error: error, offsets: offsets))
    // The sum is not stored: each response without errors would have to clear it.
    if reported.reduce(0, { $0 + Self.bytes(of: $1.error) }) > Self.maximumBytes { limit = reported.count }
  }

  private static func bytes(of error: GraphQLError) -> Int {
    error.path.reduce(error.message.utf8.count) { sum, segment in
      if case .key(let key) = segment { sum + key.utf8.count } else { sum }
    }
  }

  mutating func omit() { omitted += 1 }

  /// The errors with their locations, which are found in one pass: each error can be behind a long document.
  func list(in source: Source) -> [GraphQLError] {
    let locations = source.locations(at: reported.flatMap(\.offsets))
    var errors = reported.map { reported in
      var error = reported.error
      error.locations += reported.offsets.compactMap { locations[$0] }
      return error
    }
    if omitted > 0 {
      let more = omitted == 1 ? "One more error was" : "\(omitted) more errors were"
      errors.append(GraphQLError("\(more) omitted.", code: .errorsOmitted))
    }
    return errors
  }
}
