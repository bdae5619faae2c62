import Synchronization

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
/// A request that arrives with a single read and is answered at once is not counted: it is finished before anything
/// else is read. The lock of the shares is therefore taken only for requests that arrive in pieces, and for those of
/// more than 4 KB that wait or have a streamed response.
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
  /// The charged bytes of each payer that has any.
  private let payers = Mutex<[Payer: Int]>([:])

  init(limits: ByteLimits) { self.limits = limits }

  /// The number of charged bytes.
  var count: Int { total.load(ordering: .relaxed) }

  fileprivate func add(_ bytes: Int, isForm: Bool, _ payers: [Payer]) -> Excess? {
    var excess: Excess?
    if total.add(bytes, ordering: .relaxed).newValue > limits.total { excess = .total }
    if isForm, addToForms(bytes) > limits.forms { excess = excess ?? .forms }
    for payer in payers where add(bytes, to: payer) { excess = payer.kind == .network ? .network : .person }
    return excess
  }

  fileprivate func addToForms(_ bytes: Int) -> Int { forms.add(bytes, ordering: .relaxed).newValue }

  /// Charges a payer. Returns whether it now exceeds its share.
  fileprivate func add(_ bytes: Int, to payer: Payer) -> Bool {
    let count = payers.withLock { payers in
      let count = payers[payer, default: 0] + bytes
      payers[payer] = count == 0 ? nil : count
      return count
    }
    return count > (payer.kind == .network ? limits.network : limits.person)
  }
}

/// A fixed number of bytes of a budget, released with this value.
package final class ByteReservation: Sendable {
  private let budget: ByteBudget
  private let payers: [Payer]
  private let count: Int
  /// The limit that it exceeds, if any.
  let excess: ByteBudget.Excess?

  init(_ count: Int, of budget: ByteBudget, _ payers: [Payer]) {
    self.budget = budget
    self.payers = payers
    self.count = count
    excess = budget.add(count, isForm: false, payers)
  }

  deinit { _ = budget.add(-count, isForm: false, payers) }
}

/// The bytes that one connection holds of a budget, released with this value. Confined to the loop's thread.
final class ByteCharge {
  private let budget: ByteBudget
  private var payers: [Payer]
  private var isForm = false
  private(set) var count = 0

  init(_ budget: ByteBudget, payer: Payer?) {
    self.budget = budget
    payers = payer.map { [$0] } ?? []
  }

  deinit { _ = budget.add(-count, isForm: isForm, payers) }

  /// Sets the number of held bytes. Returns the limit that they exceed, if any. They are charged nevertheless, and the
  /// caller must release them.
  func set(_ count: Int) -> ByteBudget.Excess? {
    let change = count - self.count
    guard change != 0 else { return nil }
    self.count = count
    let excess = budget.add(change, isForm: isForm, payers)
    return change > 0 ? excess : nil
  }

  /// Charges another payer too.
  func add(_ payer: Payer) {
    guard !payers.contains(payer) else { return }
    payers.append(payer)
    _ = budget.add(count, to: payer)
  }

  /// Charges the held bytes as those of a form.
  func becomeForm() {
    guard !isForm else { return }
    isForm = true
    _ = budget.addToForms(count)
  }
}
