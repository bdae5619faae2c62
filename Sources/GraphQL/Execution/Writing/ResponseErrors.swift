/// The errors of an answer, as many as are told.
struct ResponseErrors {
  private var told: [GraphQLError] = []
  private let limit: Int
  private var omitted = 0

  init(limit: Int) { self.limit = limit }

  /// Whether further errors are only counted, and so need not be made.
  var isFull: Bool { told.count >= limit }

  mutating func append(_ error: GraphQLError) { told.append(error) }
  mutating func omit() { omitted += 1 }

  var list: [GraphQLError] {
    guard omitted > 0 else { return told }
    let more = omitted == 1 ? "One more error is" : "\(omitted) more errors are"
    return told + [GraphQLError("\(more) left out.", code: .errorsOmitted)]
  }
}
