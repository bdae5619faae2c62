/// The rules of deletion, return and erasure in a family: its adults after the first, who always stays, and its
/// children. Each function performs an action and returns whether it is allowed.
struct ErasureModel {
  enum State: Equatable {
    case present
    /// Deleted, and erased at this time (milliseconds since 1970).
    case leaving(until: Int64)
    case erased
  }

  struct Member: Equatable {
    let name: String
    var state = State.present

    /// The time of the erasure if the member is deleted.
    var erasedAt: Int64? { if case .leaving(let until) = state { until } else { nil } }
  }

  static let gracePeriod: Int64 = 30 * 86_400_000

  private(set) var adults: [Member] = []
  private(set) var children: [Member] = []
  private(set) var returned = 0

  mutating func addAdult(_ name: String) { adults.append(Member(name: name)) }
  mutating func addChild(_ name: String) { children.append(Member(name: name)) }

  mutating func deleteAdult(_ index: Int, at now: Int64) -> Bool { Self.delete(&adults[index], at: now) }
  mutating func deleteChild(_ index: Int, at now: Int64) -> Bool { Self.delete(&children[index], at: now) }

  /// Signs in to return. An account that is not deleted is signed in to as well.
  mutating func restoreAdult(_ index: Int) -> Bool {
    adults[index].state == .present || restore(\.adults, index)
  }

  mutating func restoreChild(_ index: Int) -> Bool { restore(\.children, index) }

  private static func delete(_ member: inout Member, at now: Int64) -> Bool {
    guard member.state == .present else { return false }
    member.state = .leaving(until: now + gracePeriod)
    return true
  }

  private mutating func restore(_ list: WritableKeyPath<Self, [Member]>, _ index: Int) -> Bool {
    guard self[keyPath: list][index].erasedAt != nil else { return false }
    self[keyPath: list][index].state = .present
    returned += 1
    return true
  }

  /// Erases everybody whose time has come.
  mutating func advance(to now: Int64) {
    for index in adults.indices where adults[index].erasedAt ?? .max <= now { adults[index].state = .erased }
    for index in children.indices where children[index].erasedAt ?? .max <= now { children[index].state = .erased }
  }

  var erased: [Member] { (adults + children).filter { $0.state == .erased } }

  // MARK: What the first adult sees

  var lines: [String] {
    let deleted = children.compactMap { child in child.erasedAt.map { "deleted \(child.name) \($0)" } }
    return
      (adults.filter { $0.state == .present }.map { "parent \($0.name)" }
      + children.filter { $0.state == .present }.map { "child \($0.name)" } + deleted).sorted()
  }
}
