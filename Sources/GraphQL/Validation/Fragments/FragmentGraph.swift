/// The graph of fragment spreads in a document. It is explored once, with an explicit stack, because chains of
/// fragments can be as long as the document.
struct FragmentGraph {
  private enum State: UInt8 {
    case unvisited, inProgress, finished
  }
  private struct Vertex {
    var size = SpreadSize()
    var state = State.unvisited
    var isReachable = false
  }
  /// Indexed by fragment.
  private var vertices: [Vertex]
  private(set) var hasCycle = false

  private struct Step {
    let fragment: Int
    var nextSpread: Int
  }

  init(exploring validation: inout Validation) {
    vertices = Array(repeating: Vertex(), count: validation.fragments.count)
    for fragment in vertices.indices where vertices[fragment].state == .unvisited { visit(fragment, in: &validation) }
    reach(in: &validation)
  }

  func isReachable(_ fragment: Int) -> Bool { vertices[fragment].isReachable }

  /// Visits fragments depth-first. A fragment is finished after all fragments that it spreads.
  private mutating func visit(_ first: Int, in validation: inout Validation) {
    var path: [Step] = []
    path.reserveCapacity(8)
    enter(first, path: &path, in: &validation)
    while let step = path.last {
      let (fragment, nextSpread) = (step.fragment, step.nextSpread)
      let definition = validation.definitions[validation.fragments[fragment].definition]
      guard nextSpread < definition.spreads.upperBound else {
        vertices[fragment].size = size(of: definition, validation.spreads)
        vertices[fragment].state = .finished
        path.removeLast()
        continue
      }
      path[path.count - 1].nextSpread += 1
      let spread = validation.spreads[nextSpread].fragment
      guard spread >= 0 else { continue }
      switch vertices[spread].state {
      case .unvisited: enter(spread, path: &path, in: &validation)
      case .inProgress: hasCycle = true
      case .finished: continue
      }
    }
  }

  private mutating func enter(
    _ fragment: Int,
    path: inout [Step],
    in validation: inout Validation
  ) {
    vertices[fragment].state = .inProgress
    let definition = validation.definitions[validation.fragments[fragment].definition]
    path.append(Step(fragment: fragment, nextSpread: definition.spreads.lowerBound))
  }

  /// The size of a definition with its fragments expanded, whose sizes are known. A fragment that spreads itself adds
  /// nothing; `NoFragmentCycles` rejects it.
  func size(of definition: ExecutableDefinition, _ spreads: [FragmentSpread]) -> SpreadSize {
    var size = SpreadSize(definition)
    for index in definition.spreads where spreads[index].fragment >= 0 {
      size.add(vertices[spreads[index].fragment].size, spreadAt: spreads[index].depth)
    }
    return size
  }

  /// Marks the fragments that are reachable from an operation.
  private mutating func reach(in validation: inout Validation) {
    var pending: [Range<Int>] = []
    pending.reserveCapacity(validation.definitions.count)
    for definition in validation.definitions where definition.isOperation { pending.append(definition.spreads) }
    while let spreads = pending.popLast() {
      for index in spreads {
        let fragment = validation.spreads[index].fragment
        guard fragment >= 0, !vertices[fragment].isReachable else { continue }
        vertices[fragment].isReachable = true
        pending.append(validation.definitions[validation.fragments[fragment].definition].spreads)
      }
    }
  }
}

/// The size of a definition with its fragments expanded. Counts saturate at a number beyond every limit, because they
/// grow exponentially with the depth of fragments.
struct SpreadSize {
  /// Levels of nested fields.
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
