/// A validation error, before its offsets in the source are converted to lines and columns.
struct Violation {
  let rule: ValidationRule
  let order: VisitOrder
  let message: String
  /// Offsets in the source, in bytes.
  let offsets: [UInt32]
  let code: ErrorCode
}

/// The moment at which a depth-first visitor, such as that of graphql-js, would find an error. Errors are reported in
/// this order, regardless of the order in which they were found.
struct VisitOrder: Comparable {
  private let key: UInt64

  static let documentEntered = VisitOrder(key: 0)

  static func entering(_ node: NodeIndex) -> VisitOrder {
    VisitOrder(key: UInt64(truncatingIfNeeded: node) << 33 | 1 << 32)
  }

  /// A node is left before the next one is entered, and after its descendants are left.
  static func leaving(_ node: NodeIndex, nodes: [Node]) -> VisitOrder {
    VisitOrder(key: UInt64(nodes[node].subtreeEnd) << 33 | UInt64(UInt32.max - UInt32(truncatingIfNeeded: node)))
  }

  static func < (one: VisitOrder, other: VisitOrder) -> Bool { one.key < other.key }
}

/// The validation errors of one document.
struct Violations {
  private(set) var list: [Violation] = []
  private let maximum: Int
  /// Whether more errors were found than are reported.
  private(set) var areTruncated = false
  /// The maximum number of locations of an error. Only artificial documents have more.
  private static let maximumOffsets = 100

  init(maximum: Int) { self.maximum = maximum }

  var isFull: Bool { list.count >= maximum }

  /// Adds an error. `message` is called only if the error will be reported.
  mutating func append(
    _ rule: ValidationRule,
    order: VisitOrder,
    at offsets: [UInt32],
    code: ErrorCode = .validationFailed,
    _ message: () -> String
  ) {
    guard !isFull else {
      areTruncated = true
      return
    }
    list.append(
      Violation(
        rule: rule,
        order: order,
        message: message(),
        offsets: Array(offsets.prefix(Self.maximumOffsets)),
        code: code
      )
    )
  }

  /// The errors in visiting order. Errors at one node are in the order of the rules, and errors of one rule in the
  /// order in which they were found.
  func sorted() -> [Violation] {
    list.enumerated().sorted { one, other in
      (one.element.order, one.element.rule.rawValue, one.offset)
        < (other.element.order, other.element.rule.rawValue, other.offset)
    }.map(\.element)
  }

  func errors(in source: Source) -> [GraphQLError] {
    guard !list.isEmpty else { return [] }
    let violations = sorted()
    let locations = source.locations(at: violations.flatMap(\.offsets))
    var errors = violations.map { violation in
      GraphQLError(violation.message, at: violation.offsets.compactMap { locations[$0] }, code: violation.code)
    }
    if areTruncated {
      errors.append(
        GraphQLError("Too many validation errors, error limit reached. Validation aborted.", code: .errorsOmitted)
      )
    }
    return errors
  }
}
