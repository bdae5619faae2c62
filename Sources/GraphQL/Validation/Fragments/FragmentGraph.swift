/// How the fragments of a document spread one another. Explored once, on a stack of its own: chains of fragments may be
/// as long as a document.
struct FragmentGraph {
  /// By fragment.
  private(set) var sizes: [SpreadSize]
  private(set) var isReachable: [Bool]
  private(set) var hasCycle = false

  private enum State: UInt8 {
    case unvisited, inProgress, finished
  }
  private var states: [State]

  private struct Step {
    let fragment: Int
    var nextSpread: Int
  }

  init(_ validation: borrowing Validation) {
    let count = validation.fragments.count
    sizes = Array(repeating: SpreadSize(), count: count)
    isReachable = Array(repeating: false, count: count)
    states = Array(repeating: .unvisited, count: count)
  }

  mutating func explore(_ validation: borrowing Validation) {
    for fragment in 0..<states.count where states[fragment] == .unvisited { visit(fragment, validation) }
    reach(validation)
  }

  /// Depth first; a fragment is finished after all that it spreads.
  private mutating func visit(_ first: Int, _ validation: borrowing Validation) {
    var path: [Step] = []
    enter(first, &path, validation)
    while let step = path.last {
      let (fragment, nextSpread) = (step.fragment, step.nextSpread)
      let definition = validation.definitions[validation.fragments[fragment].definition]
      guard nextSpread < definition.spreads.upperBound else {
        sizes[fragment] = size(of: definition, validation.spreads)
        states[fragment] = .finished
        path.removeLast()
        continue
      }
      path[path.count - 1].nextSpread += 1
      let spread = validation.spreads[nextSpread].fragment
      guard spread >= 0 else { continue }
      switch states[spread] {
      case .unvisited: enter(spread, &path, validation)
      case .inProgress: hasCycle = true
      case .finished: continue
      }
    }
  }

  private mutating func enter(
    _ fragment: Int,
    _ path: inout [Step],
    _ validation: borrowing Validation
  ) {
    states[fragment] = .inProgress
    let definition = validation.definitions[validation.fragments[fragment].definition]
    path.append(Step(fragment: fragment, nextSpread: definition.spreads.lowerBound))
  }

  /// The size of a definition with the fragments that it spreads, whose sizes are known. A fragment within itself adds
  /// nothing: `NoFragmentCycles` refuses it.
  func size(of definition: ExecutableDefinition, _ spreads: [FragmentSpread]) -> SpreadSize {
    var size = SpreadSize(definition)
    for place in definition.spreads where spreads[place].fragment >= 0 {
      size.add(sizes[spreads[place].fragment], spreadAt: spreads[place].depth)
    }
    return size
  }

  /// Marks the fragments that some operation gets to.
  private mutating func reach(_ validation: borrowing Validation) {
    var pending: [Range<Int>] = []
    pending.reserveCapacity(validation.definitions.count)
    for definition in validation.definitions where definition.isOperation { pending.append(definition.spreads) }
    while let spreads = pending.popLast() {
      for place in spreads {
        let fragment = validation.spreads[place].fragment
        guard fragment >= 0, !isReachable[fragment] else { continue }
        isReachable[fragment] = true
        pending.append(validation.definitions[validation.fragments[fragment].definition].spreads)
      }
    }
  }
}

/// How large a definition is with its fragments spread out. Counts stop at a number that is past any limit: they grow
/// with the power of the fragments' depth.
struct SpreadSize {
  /// Levels of fields in fields.
  var depth = 0
  var rootFields = 0
  var spreads = 0

  private static let ceiling = 1 << 30

  init() {}

  init(_ definition: ExecutableDefinition) {
    depth = definition.depth
    rootFields = definition.rootFields
  }

  mutating func add(_ fragment: SpreadSize, spreadAt level: Int) {
    depth = max(depth, level - 1 + fragment.depth)
    if level == 1 { rootFields = min(rootFields + fragment.rootFields, Self.ceiling) }
    spreads = min(spreads + 1 + fragment.spreads, Self.ceiling)
  }
}
