import Foundation
import Storage
import TestSupport

@testable import Hearth

extension TestServer {
  /// Sends requests that change something so that all of them have been admitted, and wait to be written in the order
  /// of the list, before the first of them is.
  func atOnce(_ requests: [@Sendable () async throws -> Outcome]) async throws -> [Outcome] {
    await deliverMail()
    let database = services.database
    let (hasBegun, mayEnd) = (Gate(), DispatchSemaphore(value: 0))
    let writing = Task {
      try await database.write { _ in
        hasBegun.open()
        mayEnd.wait()
      }
    }
    await hasBegun.pass()
    let outcomes = try await withThrowingTaskGroup { group in
      defer { mayEnd.signal() }
      for (place, request) in requests.enumerated() {
        group.addTask { (place, try await request()) }
        while database.waitingWrites <= place { await Task.yield() }
      }
      mayEnd.signal()
      return try await group.reduce(into: [Int: Outcome]()) { $0[$1.0] = $1.1 }
    }
    try await writing.value
    return outcomes.sorted { $0.key < $1.key }.map(\.value)
  }
}
