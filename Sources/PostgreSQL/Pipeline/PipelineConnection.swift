import Basics
import CPostgreSQL

/// An open connection in pipeline mode. Batches are sent as soon as they are submitted, without waiting for the results
/// of earlier ones. It never blocks: its owner waits until the descriptor is ready for `wantedEvents` and then calls
/// `advance`.
///
/// Confined to a thread at a time.
package final class PipelineConnection {
  private let connection: OpaquePointer
  private let library: Library
  private var functions: libpq_functions { _read { yield library.functions.pointee } }
  private var state = PipelineState()
  /// The batches whose outcome is not known, oldest first.
  private var batches: [Batch] = []
  private var prepared = PreparedStatements()
  private var hasUnsentBytes = false
  private let roundTrips: RoundTripCounter?
  private let measuresResults: Bool
  /// Why the connection can no longer be used.
  package private(set) var failure: PostgreSQLError?

  /// Takes over a connection that has just been opened, and closes it when released.
  init(
    _ connection: OpaquePointer,
    library: Library,
    options: ConnectionOptions
  ) throws(PostgreSQLError) {
    self.connection = connection
    self.library = library
    roundTrips = options.roundTrips
    measuresResults = options.measuresResults
    // Notices would be printed to standard error.
    _ = library.functions.pointee.PQsetNoticeProcessor(connection, { _, _ in }, nil)
    guard functions.PQsetnonblocking(connection, 1) == 0, functions.PQenterPipelineMode(connection) == 1 else {
      throw PostgreSQLError(.connecting, message: "The connection could not be put into pipeline mode.")
    }
  }

  deinit { functions.PQfinish(connection) }

  /// The socket. It stays the same as long as the connection is open.
  package var descriptor: Int32 { functions.PQsocket(connection) }

  /// The events for which `advance` must be called. An idle connection waits for the server to close it.
  package var wantedEvents: DescriptorEvents { hasUnsentBytes ? [.readable, .writable] : .readable }

  /// Whether the outcome of a submitted batch is unknown.
  package var isBusy: Bool { !batches.isEmpty }

  /// Whether a transaction is open, failed or not. Only meaningful while no batch is running.
  package var isInTransaction: Bool { functions.PQtransactionStatus(connection) != PQTRANS_IDLE }

  /// The number of the server process, which `pg_terminate_backend` takes.
  package var backendID: Int { Int(functions.PQbackendPID(connection)) }

  /// The server's version, such as 150018 for 15.18.
  package var serverVersion: Int { Int(functions.PQserverVersion(connection)) }

  /// A parameter that the server has reported, such as `server_encoding`.
  package func serverParameter(_ name: String) -> String? {
    functions.PQparameterStatus(connection, name).map { String(cString: $0) }
  }

  /// A caller waits for the next answer.
  func countRoundTrip() { roundTrips?.add() }

  // MARK: Sending

  /// Sends a batch. `batch.whenDone` is called when its outcome is known, within this call or a later `advance`.
  package func submit(_ batch: Batch) {
    if let failure {
      batch.fail(failure)
      batch.finish()
      return
    }
    if let error = batch.misuse {
      batch.fail(error)
      batch.finish()
      return
    }
    batches.append(batch)
    roundTrips?.add(statements: batch.count)
    guard prepareStatements(of: batch), batch.entries.allSatisfy(send), synchronize(endsBatch: true) else {
      return lose(.connectionLost)
    }
    flush()
    takeResults()
  }

  /// Each preparation has a synchronization point of its own: an error in one of a batch's statements does not undo the
  /// preparation of others, whose names later batches already use.
  private func prepareStatements(of batch: Batch) -> Bool {
    for entry in batch.entries.indices {
      let statement = batch.entries[entry].statement
      guard let slot = statement.slot, let name = prepared.add(slot: slot) else { continue }
      let types = statement.types.map(\.rawValue)
      state.send(.prepare(slot: slot))
      guard functions.PQsendPrepare(connection, name, statement.text, Int32(types.count), types) == 1,
        synchronize(endsBatch: false)
      else { return false }
    }
    return true
  }

  private func synchronize(endsBatch: Bool) -> Bool {
    state.send(.synchronize(endsBatch: endsBatch))
    return functions.PQpipelineSync(connection) == 1
  }

  private func send(_ entry: Batch.Entry) -> Bool {
    state.send(.execute)
    return sendParameters(of: entry, named: prepared.name(of: entry.statement))
  }

  private func sendParameters(of entry: Batch.Entry, named name: UnsafeMutablePointer<CChar>?) -> Bool {
    let parameters = entry.parameters
    let count = parameters.count
    return parameters.bytes.withUnsafeBytes { bytes in
      withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { values in
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
          // An empty value is not NULL, so that it needs an address too.
          let start = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1)
          for (index, extent) in parameters.extents.enumerated() {
            let address = extent.length < 0 ? nil : start.map { $0 + extent.start }
            values.initializeElement(at: index, to: address?.assumingMemoryBound(to: CChar.self))
            numbers.initializeElement(at: index, to: Int32(clamping: max(0, extent.length)))
            // 1 is the binary format.
            numbers.initializeElement(at: count + index, to: 1)
          }
          let lengths = numbers.baseAddress
          let formats = lengths.map { $0 + count }
          if let name {
            return functions.PQsendQueryPrepared(
              connection,
              name,
              Int32(count),
              values.baseAddress,
              lengths,
              formats,
              1
            ) == 1
          }
          let types = entry.statement.types.map(\.rawValue)
          return types.withUnsafeBufferPointer { types in
            functions.PQsendQueryParams(
              connection,
              entry.statement.text,
              Int32(count),
              types.isEmpty ? nil : types.baseAddress,
              values.baseAddress,
              lengths,
              formats,
              1
            )
          } == 1
        }
      }
    }
  }

  private func flush() {
    switch functions.PQflush(connection) {
    case 0: hasUnsentBytes = false
    case 1: hasUnsentBytes = true
    default: lose(.connectionLost)
    }
  }

  // MARK: Receiving

  /// Reads and writes what is possible without blocking. Calls `whenDone` of the batches whose outcome is known.
  package func advance() {
    guard failure == nil else { return }
    let isOpen = functions.PQconsumeInput(connection) == 1
    takeResults()
    guard failure == nil else { return }
    guard isOpen, functions.PQstatus(connection) == CONNECTION_OK else { return lose(.connectionLost) }
    // Reading first: a server that cannot send its results does not read either.
    if hasUnsentBytes {
      flush()
      // A write that is not complete reads too, and what it has read does not make the descriptor readable again.
      takeResults()
    }
  }

  private func takeResults() {
    while !state.isEmpty, failure == nil, functions.PQisBusy(connection) == 0 {
      let result = functions.PQgetResult(connection)
      let report = result.map { Self.report(of: functions.PQresultStatus($0)) } ?? .end
      guard let report else {
        functions.PQclear(result)
        return lose(.protocolViolation, reason: "The server sent a result of an unknown kind.")
      }
      switch state.receive(report) {
      case .result:
        if let result { receive(result) }
        // The rows free it.
        continue
      case .failed:
        if let result { fail(result) }
      case .notPrepared(let slot):
        if let result { fail(result, preparing: slot) }
        prepared.remove(slot: slot)
      case .batchDone:
        finishBatch()
      case .nothing:
        break
      case .violation:
        functions.PQclear(result)
        // libpq reports a lost connection by the error of one statement and then by no results.
        guard functions.PQstatus(connection) == CONNECTION_OK else { return lose(.connectionLost) }
        return lose(.protocolViolation, reason: "The server sent a result that no statement asked for.")
      }
      functions.PQclear(result)
    }
  }

  private func receive(_ result: OpaquePointer) {
    guard let batch = batches.first else { return functions.PQclear(result) }
    let rows = prepared.rows(result, of: batch.nextSlot, library: library)
    batch.receive(rows, at: measuresResults ? .now : nil)
  }

  /// The payloads of the messages of NOTIFY that have arrived on a channel. `advance` receives them.
  package func takeNotifications(of channel: String) -> [String] {
    var payloads: [String] = []
    while failure == nil, let notification = functions.PQnotifies(connection) {
      if String(cString: notification.pointee.relname) == channel {
        payloads.append(String(cString: notification.pointee.extra))
      }
      functions.PQfreemem(notification)
    }
    return payloads
  }

  private static func report(of status: ExecStatusType) -> PipelineState.Report? {
    switch status {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: .success
    case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE: .error
    case PGRES_PIPELINE_ABORTED: .aborted
    case PGRES_PIPELINE_SYNC: .synchronized
    default: nil
    }
  }

  private func fail(_ result: OpaquePointer, preparing slot: Int? = nil) {
    guard let batch = batches.first else { return }
    func field(_ code: Unicode.Scalar) -> String? {
      functions.PQresultErrorField(result, Int32(code.value)).map { String(cString: $0) }
    }
    // The letters of PG_DIAG_SQLSTATE and the others are in postgres_ext.h. Errors without a state are libpq's own: the
    // connection is lost.
    guard let state = field("C") else { return lose(.connectionLost) }
    // Statements are prepared before any of the batch is executed.
    let index = slot == nil ? batch.results.count : batch.entries.firstIndex { $0.statement.slot == slot }
    // After a fatal error the server closes the connection. Whether a COMMIT took effect is then unknown: the server
    // can be terminated while it waits for a standby.
    let isFatal = field("V") == "FATAL" || field("V") == "PANIC"
    batch.fail(
      PostgreSQLError(
        isFatal ? .connectionLost : .statement,
        message: field("M") ?? "",
        sqlState: state,
        constraint: field("n"),
        sql: index.flatMap { $0 < batch.count ? batch.entries[$0].statement.text : nil }
      )
    )
  }

  private func finishBatch() {
    guard !batches.isEmpty else { return }
    let batch = batches[0]
    guard batch.failure != nil || batch.results.count == batch.count else {
      return lose(.protocolViolation, reason: "The server did not answer each statement.")
    }
    batches.removeFirst()
    batch.finish()
  }

  /// Ends the use of the connection, which is closed when it is released. The outcome of all running batches is
  /// unknown.
  package func lose(_ code: PostgreSQLError.Code, reason: String? = nil) {
    guard failure == nil else { return }
    let message = functions.PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    let lines = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    let error = PostgreSQLError(code, message: reason ?? (lines.isEmpty ? "The connection was lost." : lines))
    failure = error
    let lost = batches
    batches = []
    for batch in lost {
      batch.fail(error)
      batch.finish()
    }
  }
}
