import Storage
import Synchronization

/// What was measured of a write.
final class MeasuredWrite: Sendable {
  let times: [StatementTime]
  /// The positions of the events that the write has stored. PostgreSQL's are known after the commit.
  let positions = Mutex<[Int64]>([])

  init(times: [StatementTime]) { self.times = times }
}
