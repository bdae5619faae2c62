/// A fault found, before its places in the source are turned into lines and columns.
struct Violation {
  let rule: ValidationRule
  let order: VisitOrder
  let message: String
  /// Bytes of the source.
  let offsets: [UInt32]
  let code: ErrorCode
}

/// When a visitor that goes through the document depth first, as graphql-js does, would meet a fault. Errors are told
/// in this order, whichever walk found them first.
struct VisitOrder: Comparable {
  private let key: UInt64

  static let documentEntered = VisitOrder(key: 0)

  static func entering(_ node: NodeIndex) -> VisitOrder {
    VisitOrder(key: UInt64(truncatingIfNeeded: node) << 33 | 1 << 32)
  }

  /// A node is left before the next one is entered, and after those within it are left.
  static func leaving(_ node: NodeIndex, _ nodes: [Node]) -> VisitOrder {
    VisitOrder(key: UInt64(nodes[node].subtreeEnd) << 33 | UInt64(UInt32.max - UInt32(truncatingIfNeeded: node)))
  }

  static func < (one: VisitOrder, other: VisitOrder) -> Bool { one.key < other.key }
}

/// The faults of one document.
struct Violations {
  private(set) var list: [Violation] = []
  private let maximum: Int
  /// Whether more were found than are told.
  private(set) var areTruncated = false
  /// How many places one error may name. Only made-up documents have more.
  private static let maximumOffsets = 100

  init(maximum: Int) { self.maximum = maximum }

  var isEmpty: Bool { list.isEmpty }
  var isFull: Bool { list.count >= maximum }

  /// The message is made only if it will be told.
  mutating func append(
    _ rule: ValidationRule,
    _ order: VisitOrder,
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

  /// In the order of visiting; at one place in the order of the rules; of one rule in the order found.
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
