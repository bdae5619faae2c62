/// What a response delivers later, as recorded while its parts are written. A value, because a part that is written
/// again starts from the records before it.
struct DeliveryRecords {
  enum Progress {
    /// The client does not know of it yet.
    case unannounced
    case pending
    case ended
  }

  /// A fragment with `@defer` of one object.
  struct Fragment {
    /// The index in `IncrementalPlan.usages`.
    let usage: Int
    /// `DeferUsage.fragment`
    let node: NodeIndex
    /// The fragment that contains it, or -1.
    let parent: Int
    let path: [Int32]
    let position: Int
    var progress = Progress.unannounced
    var id = 0
    /// The number of its groups that were not delivered yet.
    var openGroups = 0
    /// Whether an entry has its label and path, which the previous format requires of one entry.
    var isLabelled = false
    /// Nil unless the fragment failed, because null propagated out of it.
    var errors: [GraphQLError]?
  }

  /// Fields of one object that are delivered together.
  struct Group {
    let set: Int
    let row: Int
    let path: [Int32]
    let fragments: [Int]
    /// The fragments that contain the object, by use of `@defer`.
    let current: [Int]
    let position: Int
    var isDelivered = false
  }

  /// The rest of a list with `@stream`.
  struct Stream {
    /// The index in `IncrementalPlan.streams`.
    let stream: Int
    let path: [Int32]
    let current: [Int]
    let position: Int
    let count: Int
    /// The index of the next item, and its position among the tokens of the call.
    var next: Int
    var cursor: Int
    var progress = Progress.unannounced
    var id = 0
    /// Nil unless the list ends early, because null propagated to it or nothing more can be delivered.
    var errors: [GraphQLError]?

    /// The path of the next item.
    var nextPath: [Int32] { path + [Int32(truncatingIfNeeded: -1 - next)] }
  }

  var fragments: [Fragment] = []
  var groups: [Group] = []
  var streams: [Stream] = []
  /// The fragments that contain the object that is being written, by use of `@defer`.
  var current: [Int] = []
  private var ids = 0
  /// Records of earlier parts, which are not removed when null propagates.
  private var kept = (fragments: 0, groups: 0, streams: 0)

  /// The number of parts that the response delivers later.
  var count: Int { fragments.count + streams.count }

  var hasNext: Bool {
    fragments.contains { $0.progress == .pending } || streams.contains { $0.progress == .pending }
  }

  mutating func takeID() -> Int {
    defer { ids += 1 }
    return ids
  }

  /// Called before a part is written.
  mutating func beginPart() { kept = (fragments.count, groups.count, streams.count) }

  /// Removes what was recorded in this part while the bytes after `position` were written, because they are removed.
  mutating func removeAll(after position: Int) {
    while fragments.count > kept.fragments, let last = fragments.last, last.position >= position {
      fragments.removeLast()
    }
    while groups.count > kept.groups, let last = groups.last, last.position >= position {
      for fragment in last.fragments where fragment < fragments.count { fragments[fragment].openGroups -= 1 }
      groups.removeLast()
    }
    while streams.count > kept.streams, let last = streams.last, last.position >= position { streams.removeLast() }
  }

  // MARK: Recording

  /// Records what an object defers, when the object is begun.
  mutating func append(_ deferral: DeferralPlan, plan: IncrementalPlan, row: Int, path: [Int32], at position: Int) {
    if current.count < plan.usages.count { current = Array(repeating: -1, count: plan.usages.count) }
    for usage in deferral.declared {
      let parent = plan.usages[usage].parent
      current[usage] = fragments.count
      fragments.append(
        Fragment(
          usage: usage,
          node: plan.usages[usage].fragment,
          parent: parent == DeferUsage.none ? -1 : current[parent],
          path: path,
          position: position
        )
      )
    }
    for group in deferral.groups {
      let containing = group.usages.map { current[$0] }
      for fragment in containing { fragments[fragment].openGroups += 1 }
      groups.append(
        Group(set: group.set, row: row, path: path, fragments: containing, current: current, position: position)
      )
    }
  }

  // MARK: Progress

  func isFailed(_ group: Group) -> Bool { group.fragments.allSatisfy { fragments[$0].errors != nil } }

  /// The groups that the next part delivers: those of the first fragment that is pending, for all objects.
  func dueGroups(of fragment: Int) -> [Int] {
    let node = fragments[fragment].node
    return groups.indices.filter { index in
      !groups[index].isDelivered
        && groups[index].fragments.contains { fragments[$0].node == node && fragments[$0].progress == .pending }
    }
  }

  mutating func deliver(_ group: Int) {
    groups[group].isDelivered = true
    for fragment in groups[group].fragments { fragments[fragment].openGroups -= 1 }
  }

  /// Ends the fragments of which everything was delivered, or which failed, and announces what follows them.
  mutating func advance() -> (announced: [Announced], completed: [Announced]) {
    var announced: [Announced] = []
    var completed: [Announced] = []
    for index in fragments.indices {
      let parent = fragments[index].parent
      if fragments[index].progress == .unannounced, parent < 0 || fragments[parent].progress == .ended {
        if parent >= 0, fragments[parent].errors != nil {
          // Its fields are null together with those around them.
          fragments[index].errors = fragments[parent].errors
          fragments[index].progress = .ended
        } else if fragments[index].openGroups == 0, fragments[index].errors == nil {
          // All of its fields were delivered with others.
          fragments[index].progress = .ended
        } else {
          fragments[index].id = takeID()
          fragments[index].progress = .pending
          announced.append(.fragment(index))
        }
      }
      if fragments[index].progress == .pending, fragments[index].openGroups == 0 || fragments[index].errors != nil {
        fragments[index].progress = .ended
        completed.append(.fragment(index))
      }
    }
    for index in streams.indices {
      if streams[index].progress == .unannounced {
        streams[index].id = takeID()
        streams[index].progress = .pending
        announced.append(.stream(index))
      }
      let isAtEnd = streams[index].next == streams[index].count || streams[index].errors != nil
      if streams[index].progress == .pending, isAtEnd {
        streams[index].progress = .ended
        completed.append(.stream(index))
      }
    }
    return (announced, completed)
  }

  /// Something that `pending` announces and `completed` ends.
  enum Announced {
    case fragment(Int)
    case stream(Int)
  }
}
