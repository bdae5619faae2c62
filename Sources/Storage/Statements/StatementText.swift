import PostgreSQL
import Synchronization

/// The text of a statement, and the slot of its prepared statement in the cache of every connection.
///
/// Create each one once per process: slots are not reused, so a text created for each request would be prepared each
/// time. A connection rejects a statement whose slot is not below `limit`.
@usableFromInline package struct StatementText: Sendable {
  /// The maximum number of statement texts in a process.
  package static let limit = 8_192

  /// The statement in the words of each engine, and the types of its parameters. An object, so that a statement is
  /// copied as cheaply as with one text.
  private final class Texts: Sendable {
    let sqlite: String
    let server: ServerStatement
    let types: [ParameterType]
    let reads: StatementReads
    let partitions: [StatementPartition]

    init(_ texts: DialectTexts, types: [ParameterType], reads: StatementReads, slot: Int) {
      self.reads = reads
      partitions = StatementPartition.all(of: reads)
      sqlite = texts.sqlite
      server = ServerStatement(texts.postgreSQL, types: types.map(\.serverType), slot: slot)
      self.types = types
    }
  }

  private let texts: Texts
  /// Unique in the process and consecutive from 0, so that the cache of a connection is an array.
  @usableFromInline let slot: Int

  /// A statement that both engines understand, without parameters or for SQLite only.
  package init(_ text: String) {
    let texts = DialectTexts(text)
    self.init(texts, types: [], reads: StatementReads(rest: texts))
  }

  init(_ texts: DialectTexts, types: [ParameterType], reads: StatementReads) {
    slot = nextSlot.wrappingAdd(1, ordering: .relaxed).oldValue
    self.texts = Texts(texts, types: types, reads: reads, slot: slot)
  }

  /// The statement in SQLite's words.
  @usableFromInline package var text: String { texts.sqlite }

  /// The statement in PostgreSQL's words.
  package var postgreSQLText: String { texts.server.text }

  /// The statement as connections to a PostgreSQL server prepare it.
  var server: ServerStatement { texts.server }

  /// What the statement names.
  var reads: StatementReads { texts.reads }

  /// The partitions of which some tables are read in a SQLite file.
  var partitions: [StatementPartition] { texts.partitions }

  /// Returns the index of the partition whose key is bound to a parameter, or nil if the parameter is not such a key.
  package func partition(ofParameter number: Int) -> Int? { texts.partitions.firstIndex { $0.number == number } }

  /// The types of the parameters, in the order of their numbers.
  package var parameterTypes: [ParameterType] { texts.types }
}

private let nextSlot = Atomic<Int>(0)
