/// The kinds of budgets that an action can have.
enum BudgetKind: Int, CaseIterable, Sendable {
  case network, site, pair, subject, total

  static let count = allCases.count

  /// The number of cells in a row of the budget's sketch.
  var width: Int {
    switch self {
    case .network, .site: 4_096
    case .pair, .subject: 16_384
    // The sketch has a single key.
    case .total: 1
    }
  }
}
