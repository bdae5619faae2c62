/// The parts of a plan that are delivered after the initial response (specification draft of incremental delivery,
/// section 6.3): fragments with `@defer` and lists with `@stream`.
struct IncrementalPlan: Sendable {
  fileprivate(set) var deferrals: [DeferralPlan] = []
  fileprivate(set) var streams: [StreamPlan] = []
  /// The uses of `@defer`, in the order in which field collection found them.
  var usages: [DeferUsage] = []

  var isEmpty: Bool { deferrals.isEmpty && streams.isEmpty }

  /// Adds what a selection set defers, and returns its index.
  mutating func append(_ deferral: DeferralPlan) -> Int {
    deferrals.append(deferral)
    return deferrals.count - 1
  }

  mutating func append(_ stream: StreamPlan) -> Int {
    streams.append(stream)
    return streams.count - 1
  }
}

/// A fragment with `@defer` in a selection set.
struct DeferUsage: Sendable {
  /// The fragment in the document. It has a use for each possible type of an abstract type.
  let fragment: NodeIndex
  let label: String?
  /// The use of `@defer` that contains this one; `none` if it is not nested.
  let parent: Int

  /// The parent of a use that is not nested, and the use of a field that is not deferred.
  static let none = -1
}

/// What one selection set defers: an instruction at the start of each of its objects.
struct DeferralPlan: Sendable {
  /// The uses of `@defer` in the set itself.
  let declared: Range<Int>
  /// The fields that are delivered later, grouped by the uses of `@defer` that contain them.
  let groups: [DeferredGroup]
}

/// The fields of an object that the same uses of `@defer` contain. They are delivered once, with the first of them.
struct DeferredGroup: Sendable {
  let usages: [Int]
  /// The selection set of these fields.
  let set: Int
}

/// A list with `@stream`.
struct StreamPlan: Sendable {
  /// How the items are written: an instruction of kind `objects` or `abstractObjects`.
  let items: WriteOperation
  /// The selection set of an item.
  let sets: SetChoice
  /// The number of items in the part that contains the list.
  let initialCount: Int
  let label: String?
}
