import Basics

/// The readers of one event loop, confined to it.
///
/// Readers that answer at once are never used by two requests at the same time, so all requests share one. Otherwise
/// other requests read while one waits for its answers: each request has a reader, and thereby a snapshot, of its own.
///
/// The requests of one turn of the loop share a snapshot, too, unless something is committed between them.
package final class LoopReaders {
  /// The loop whose requests share one reader; nil if each has its own.
  private let sharingLoop: (any DescriptorWatcher)?
  /// Whether there is such a loop. Stored, because looking at `sharingLoop` retains it, twice in each request.
  private let isShared: Bool
  /// The connections of the readers, if the database is in another process.
  private let connections: LoopConnections?
  private let makeReader: () throws(DatabaseError) -> Reader
  /// Readers that are not in use, or the shared one.
  private var idle: [Reader] = []
  /// The number of idle readers that are kept.
  private static let maximumIdle = 16

  init(sharedOn sharingLoop: (any DescriptorWatcher)?, _ makeReader: @escaping () throws(DatabaseError) -> Reader) {
    self.sharingLoop = sharingLoop
    isShared = sharingLoop != nil
    self.makeReader = makeReader
    connections = nil
  }

  init(_ connections: LoopConnections, _ makeReader: @escaping () throws(DatabaseError) -> Reader) {
    sharingLoop = nil
    isShared = false
    self.makeReader = makeReader
    self.connections = connections
  }

  /// Closes the connections to a database in another process. Must be called on the thread of the loop, before the loop
  /// ends.
  package func close() { connections?.close() }

  /// Opens the reader that all requests share, if they share one, so that they can read whatever happens to the path of
  /// the file later. Must be called on the thread of the loop.
  package func open() throws(DatabaseError) {
    if isShared { _ = try take() }
  }

  /// A reader for a request, which passes it to `giveBack`.
  package func take() throws(DatabaseError) -> Reader {
    if isShared, let shared = idle.first { return shared }
    if let sharingLoop {
      let made = try makeReader()
      idle.append(made)
      // The loop keeps the reader until it ends. A weak reference would be counted in each turn, and makes counting all
      // other references to the same object take four times as long.
      sharingLoop.whenTurnsEnd { made.turnDidEnd() }
      return made
    }
    if let reader = idle.popLast() { return reader }
    return try makeReader()
  }

  /// Ends the reading of a request. The request must not use the reader any more.
  package func giveBack(_ reader: Reader) {
    reader.endRead()
    if !isShared, idle.count < Self.maximumIdle { idle.append(reader) }
  }
}
