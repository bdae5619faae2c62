import Synchronization

/// A network or a person that is charged for buffered bytes, in addition to the connection.
package struct ByteOwner: Hashable, Sendable {
  package enum Kind: Sendable { case network, person }

  package let kind: Kind
  /// Identifies the owner among those of its kind.
  package let key: UInt64

  package init(_ kind: Kind, key: UInt64) {
    self.kind = kind
    self.key = key
  }
}

/// Limits on the bytes of requests that a server buffers.
package struct ByteLimits: Sendable, Equatable {
  /// The bytes of all requests and WebSocket messages that are being received or processed.
  package var total = 256 * 1024 * 1024
  /// The share of forms.
  package var forms = 128 * 1024 * 1024
  /// The share of one network.
  package var network = 64 * 1024 * 1024
  /// The share of one person.
  package var person = 50 * 1024 * 1024

  package init() {}
}

/// Counts the bytes of requests that a server buffers on all of its loops against `ByteLimits`, as they are received,
/// not as they are announced.
///
/// A request that arrives with a single read is never counted: it is finished, or passed to the handler, before
/// anything else is read. The lock of the shares is therefore taken only for requests that arrive in pieces.
final class ByteBudget: Sendable {
  /// The exceeded limit.
  enum Excess: Sendable {
    case total, forms, network, person

    /// What the client is sent.
    var text: StaticString {
      switch self {
      case .total: "TOO_MANY_BYTES: The server is receiving too many bytes. Try again later."
      case .forms: "TOO_MANY_UPLOADS: The server is receiving too many files. Try again later."
      case .network: "TOO_MANY_BYTES: Your network is sending too many bytes. Try again later."
      case .person: "TOO_MANY_BYTES: You are sending too many bytes. Try again later."
      }
    }
  }

  let limits: ByteLimits
  private let total = Atomic<Int>(0)
  private let forms = Atomic<Int>(0)
  /// The charged bytes of each owner that has any.
  private let owners = Mutex<[ByteOwner: Int]>([:])

  init(limits: ByteLimits) { self.limits = limits }

  /// The number of charged bytes.
  var count: Int { total.load(ordering: .relaxed) }

  fileprivate func add(_ bytes: Int, isForm: Bool, _ owners: [ByteOwner]) -> Excess? {
    var excess: Excess?
    if total.add(bytes, ordering: .relaxed).newValue > limits.total { excess = .total }
    if isForm, addToForms(bytes) > limits.forms { excess = excess ?? .forms }
    for owner in owners where add(bytes, to: owner) { excess = owner.kind == .network ? .network : .person }
    return excess
  }

  fileprivate func addToForms(_ bytes: Int) -> Int { forms.add(bytes, ordering: .relaxed).newValue }

  /// Charges an owner. Returns whether it now exceeds its share.
  fileprivate func add(_ bytes: Int, to owner: ByteOwner) -> Bool {
    let count = owners.withLock { owners in
      let count = owners[owner, default: 0] + bytes
      owners[owner] = count == 0 ? nil : count
      return count
    }
    return count > (owner.kind == .network ? limits.network : limits.person)
  }
}

/// A fixed number of bytes of a budget, released with this value.
package final class ByteReservation: Sendable {
  private let budget: ByteBudget
  private let owners: [ByteOwner]
  private let count: Int
  /// The limit that it exceeds, if any.
  let excess: ByteBudget.Excess?

  init(_ count: Int, of budget: ByteBudget, _ owners: [ByteOwner]) {
    self.budget = budget
    self.owners = owners
    self.count = count
    excess = budget.add(count, isForm: false, owners)
  }

  deinit { _ = budget.add(-count, isForm: false, owners) }
}

/// The bytes that one connection holds of a budget, released with this value. Confined to the loop's thread.
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

  /// Sets the number of held bytes. Returns the limit that they exceed, if any. They are charged nevertheless, and the
  /// caller must release them.
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

  /// Charges the held bytes as those of a form.
  func becomeForm() {
    guard !isForm else { return }
    isForm = true
    _ = budget.addToForms(count)
  }
}
