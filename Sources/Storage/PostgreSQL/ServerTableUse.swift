/// What statements read from a PostgreSQL database, found out once for each. Confined to a loop.
final class ServerTableUse {
  private enum Use {
    case unknown
    /// The statement may read anything.
    case all
    /// It reads nothing but the partitions whose keys are these parameters.
    case partitions([Int])
  }

  private let catalog: ServerCatalog
  /// By the slots of the statements.
  private var uses: [Use] = []

  init(of catalog: ServerCatalog) { self.catalog = catalog }

  /// The numbers of the parameters that are the keys of all partitions that a statement reads; nil if it may read
  /// anything else.
  func partitions(of sql: StatementText) -> [Int]? {
    if uses.count <= sql.slot { uses += Array(repeating: .unknown, count: sql.slot + 1 - uses.count) }
    if case .unknown = uses[sql.slot] { uses[sql.slot] = use(of: sql.reads) }
    if case .partitions(let numbers) = uses[sql.slot] { return numbers }
    return nil
  }

  private func use(of reads: StatementReads) -> Use {
    catalog.readsOnlyPartitions(reads) ? .partitions(Set(reads.partitioned.map(\.number)).sorted()) : .all
  }
}
