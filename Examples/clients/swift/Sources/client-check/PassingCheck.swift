import FamilyOperations
import Foundation
import HearthClient
import Synchronization

enum PassingCheck {
  /// A subscription continues after errors of a server that is not available at the moment, and tells when it is connected.
  static func run(_ endpoint: URL) async throws {
    let states = Mutex<[Bool]>([])
    let events = HearthClient(endpoint: endpoint).subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    var names: [String] = []
    for try await data in events {
      if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
    }
    try expect(names == ["first", "second"], names)
    let expected = [true, false, true, false, true]
    try expect(states.withLock { $0 } == expected, states.withLock { $0 })
  }

  /// A subscription of a server without positions tells when it has begun, and begins again after a reconnection.
  static func runUnpositioned(_ endpoint: URL) async throws {
    let states = Mutex<[Bool]>([])
    let events = HearthClient(endpoint: endpoint).subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    var count = 0
    for try await _ in events { count += 1 }
    try expect(count == 1, count)
    try expect(states.withLock { $0 } == [true, false, true], states.withLock { $0 })
  }
}
