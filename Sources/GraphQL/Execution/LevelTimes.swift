import Basics

/// The times of the levels of one execution. Confined to the thread that executes.
package final class LevelTimes {
  /// Selection sets that are executed together.
  package struct Level: Sendable {
    /// 0 for the fields of a root type. A mutation has levels for each of its root fields.
    package let depth: Int
    /// The fields that are resolved, as `Type.field`. Fields that are read with their object are not among them.
    package let fields: [String]
    /// The number of objects whose fields are resolved.
    package let objects: Int
    /// Includes loading the objects that the fields return.
    package fileprivate(set) var nanoseconds: UInt64 = 0
  }

  /// In the order of the execution, without those that resolve nothing.
  package private(set) var levels: [Level] = []
  private var depth = 0
  private var startedAt: UInt64?

  package init() {}

  /// Ends the previous level, and begins the next one.
  func begin(_ walk: borrowing LevelWalk, isRoot: Bool, objects: Int, of plan: OperationPlan) {
    end()
    depth = isRoot ? 0 : depth + 1
    let fields = walk.coordinates(of: plan)
    guard !fields.isEmpty else { return }
    levels.append(Level(depth: depth, fields: fields, objects: objects))
    startedAt = MonotonicClock.nanoseconds
  }

  /// Ends the last level.
  func end() {
    guard let start = startedAt else { return }
    levels[levels.count - 1].nanoseconds = MonotonicClock.nanoseconds - start
    startedAt = nil
  }

  /// Forgets the levels, because the operation is executed again from its start.
  func removeAll() {
    levels = []
    startedAt = nil
  }
}
