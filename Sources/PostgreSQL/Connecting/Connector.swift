import CPostgreSQL
import Glibc

/// Opens connections. Blocks: looking up names and TLS take time on the calling thread, which must not be a loop's.
package struct Connector: Sendable {
  private let options: ConnectionOptions

  package init(_ options: ConnectionOptions) { self.options = options }

  package func connect() throws(PostgreSQLError) -> PipelineConnection {
    let library = try Library.load()
    let deadline = Deadline(after: options.connectTimeout)
    let connection = try Self.start(options, library: library)
    do throws(PostgreSQLError) {
      try Self.finish(connection, library: library, before: deadline)
    } catch {
      library.functions.pointee.PQfinish(connection)
      throw error
    }
    let pipeline = try PipelineConnection(connection, library: library, options: options)
    let settings = Batch()
    settings.append(options.settings)
    try BlockingConnection(pipeline, timeout: .milliseconds(deadline.remaining)).runUncounted(settings)
    return pipeline
  }

  private static func start(
    _ options: ConnectionOptions,
    library: Library
  ) throws(PostgreSQLError) -> OpaquePointer {
    let parameters = options.complete
    let names = CStrings(parameters.map(\.name))
    let values = CStrings(parameters.map(\.value))
    guard let connection = library.functions.pointee.PQconnectStartParams(names.pointers, values.pointers, 0) else {
      throw PostgreSQLError(.connecting, message: "There is not enough memory for a connection.")
    }
    return connection
  }

  /// Follows the steps of the connection, whose socket can be another one after each of them.
  private static func finish(
    _ connection: OpaquePointer,
    library: Library,
    before deadline: Deadline
  ) throws(PostgreSQLError) {
    let functions = library.functions
    // libpq expects to be asked as if the first step needed writing.
    var step = PGRES_POLLING_WRITING
    guard functions.pointee.PQstatus(connection) != CONNECTION_BAD else { throw error(of: connection, library) }
    while true {
      switch step {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING, PGRES_POLLING_WRITING:
        let events = step == PGRES_POLLING_READING ? POLLIN : POLLOUT
        guard deadline.wait(for: Int16(events), on: functions.pointee.PQsocket(connection)) != nil else {
          throw PostgreSQLError(.timedOut, message: "The database server did not answer in time.")
        }
      default: throw error(of: connection, library)
      }
      step = functions.pointee.PQconnectPoll(connection)
    }
  }

  /// libpq does not report the SQLSTATE of a failed connection: `StartFailure` recognizes the text.
  private static func error(of connection: OpaquePointer, _ library: Library) -> PostgreSQLError {
    let message = library.functions.pointee.PQerrorMessage(connection).map { String(cString: $0) } ?? ""
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    return PostgreSQLError(.connecting, message: line)
  }
}

/// An array of C strings that ends with a null pointer.
private final class CStrings {
  let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let strings: [UnsafeMutablePointer<CChar>?]

  init(_ texts: [String]) {
    strings = texts.map { strdup($0) }
    pointers = .allocate(capacity: texts.count + 1)
    for (index, string) in strings.enumerated() { (pointers + index).initialize(to: string.map { UnsafePointer($0) }) }
    (pointers + texts.count).initialize(to: nil)
  }

  deinit {
    for string in strings { free(string) }
    pointers.deallocate()
  }
}
