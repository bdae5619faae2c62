import Synchronization

/// Whether mutations are rejected. An operator can change it while the server runs.
final class ReadOnlyMode: Sendable {
  private let value: Atomic<Bool>

  init(_ isOn: Bool) { value = Atomic(isOn) }

  var isOn: Bool {
    get { value.load(ordering: .relaxed) }
    set { value.store(newValue, ordering: .relaxed) }
  }
}
