/// The field errors of a response, up to a limit.
struct ResponseErrors {
  private var reported: [GraphQLError] = []
  private let limit: Int
  private var omitted = 0

  init(limit: Int) { self.limit = limit }

  /// Whether further errors are only counted, so that the caller need not create them.
  var isFull: Bool { reported.count >= limit }

  var isEmpty: Bool { reported.isEmpty && omitted == 0 }

  /// The number of errors that are reported. They are the first ones of `list`.
  var count: Int { reported.count }

  mutating func append(_ error: GraphQLError) { reported.append(error) }
  mutating func omit() { omitted += 1 }

  var list: [GraphQLError] {
    guard omitted > 0 else { return reported }
    let more = omitted == 1 ? "One more error was" : "\(omitted) more errors were"
    return reported + [GraphQLError("\(more) omitted.", code: .errorsOmitted)]
  }
}
