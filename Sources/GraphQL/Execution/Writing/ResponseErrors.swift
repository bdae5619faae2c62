/// The errors of an answer, as many as are told.
struct ResponseErrors {
  private var reported: [GraphQLError] = []
  private let limit: Int
  private var omitted = 0

  init(limit: Int) { self.limit = limit }

  /// Whether further errors are only counted, and so need not be made.
  var isFull: Bool { reported.count >= limit }

  mutating func append(_ error: GraphQLError) { reported.append(error) }
  mutating func omit() { omitted += 1 }

  var list: [GraphQLError] {
    guard omitted > 0 else { return reported }
    let more = omitted == 1 ? "One more error is" : "\(omitted) more errors are"
    return reported + [GraphQLError("\(more) left out.", code: .errorsOmitted)]
  }
}
