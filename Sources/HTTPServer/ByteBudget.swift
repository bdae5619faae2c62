import Synchronization

/// Who is charged for bytes that the server holds, beside the connection: a network or a person.
package struct ByteOwner: Hashable, Sendable {
  package enum Kind: Sendable { case network, person }

  package let kind: Kind
  /// Which one it is, among those of its kind.
  package let key: UInt64

  package init(_ kind: Kind, _ key: UInt64) {
    self.kind = kind
    self.key = key
  }
}

/// How many bytes of requests a server may hold at a time.
package struct ByteLimits: Sendable, Equatable {
  /// All that has been received of requests and WebSocket messages and is not done with.
  package var total = 256 * 1024 * 1024
  /// The part of it that forms may have.
  package var forms = 128 * 1024 * 1024
  /// The part of it that one network may have.
  package var network = 64 * 1024 * 1024
  /// The part of it that one person may have.
  package var person = 50 * 1024 * 1024

  package init() {}
}

/// Counts the bytes of requests that a server holds on all of its loops, as they are received and not as they are
/// announced, against `ByteLimits`.
///
/// A request that comes whole with one read is never counted: it is done with, or in the hands of the handler, before
/// there is anything else to read. So the lock of the shares is taken only for what comes in pieces.
final class ByteBudget: Sendable {
  /// Which limit has been reached.
  enum Excess: Sendable { case total, forms, network, person }

  let limits: ByteLimits
  private let total = Atomic<Int>(0)
  private let forms = Atomic<Int>(0)
  /// Those that have any.
  private let owners = Mutex<[ByteOwner: Int]>([:])

  init(limits: ByteLimits) { self.limits = limits }

  /// Bytes that are charged at the moment.
  var count: Int { total.load(ordering: .relaxed) }

  fileprivate func add(_ bytes: Int, isForm: Bool, _ owners: [ByteOwner]) -> Excess? {
    var excess: Excess?
    if total.add(bytes, ordering: .relaxed).newValue > limits.total { excess = .total }
    if isForm, addToForms(bytes) > limits.forms { excess = excess ?? .forms }
    for owner in owners where add(bytes, to: owner) { excess = owner.kind == .network ? .network : .person }
    return excess
  }

  fileprivate func addToForms(_ bytes: Int) -> Int { forms.add(bytes, ordering: .relaxed).newValue }

  /// Whether the owner has more than its share then.
  fileprivate func add(_ bytes: Int, to owner: ByteOwner) -> Bool {
    let count = owners.withLock { owners in
      let count = owners[owner, default: 0] + bytes
      owners[owner] = count == 0 ? nil : count
      return count
    }
    return count > (owner.kind == .network ? limits.network : limits.person)
  }
}

/// A number of bytes of a budget that does not change; given back with this value.
package final class ByteReservation: Sendable {
  private let budget: ByteBudget
  private let owners: [ByteOwner]
  private let count: Int
  /// The limit that is passed by it.
  let excess: ByteBudget.Excess?

  init(_ count: Int, of budget: ByteBudget, _ owners: [ByteOwner]) {
    self.budget = budget
    self.owners = owners
    self.count = count
    excess = budget.add(count, isForm: false, owners)
  }

  deinit { _ = budget.add(-count, isForm: false, owners) }
}

/// What one connection holds of a budget; given back with this value. Belongs to the loop's thread.
final class ByteCharge {
  private let budget: ByteBudget
  private var owners: [ByteOwner]
  private var isForm = false
  private(set) var count = 0

  init(_ budget: ByteBudget, owner: ByteOwner?) {
    self.budget = budget
    owners = owner.map { [$0] } ?? []
  }

  deinit { _ = budget.add(-count, isForm: isForm, owners) }

  /// Sets how many bytes are held. Returns the limit that is passed by more of them: then they are counted
  /// nevertheless, and the caller must let go of them.
  func set(_ count: Int) -> ByteBudget.Excess? {
    let change = count - self.count
    guard change != 0 else { return nil }
    self.count = count
    let excess = budget.add(change, isForm: isForm, owners)
    return change > 0 ? excess : nil
  }

  /// Charges another owner too.
  func add(_ owner: ByteOwner) {
    guard !owners.contains(owner) else { return }
    owners.append(owner)
    _ = budget.add(count, to: owner)
  }

  /// What is held is a form.
  func becomeForm() {
    guard !isForm else { return }
    isForm = true
    _ = budget.addToForms(count)
  }
}
