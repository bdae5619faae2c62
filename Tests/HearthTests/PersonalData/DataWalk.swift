import Foundation
import TestSupport
import Testing

/// Everything that a server's data contains about somebody: a walk through every column of every table, those behind
/// the search index included, and through the bytes of every file of the data folder. Python's `sqlite3` or
/// PostgreSQL's `psql` reads the database.
struct DataWalk {
  /// `table.column` for each column with a text or a key that was searched, and `file name` for each file.
  let locations: [String]

  /// The mails in the outbox were delivered: what was sent is not the server's any more.
  private static let program = """
    import json, os, sqlite3, sys
    folder, words, keys = sys.argv[1], [w.lower() for w in json.loads(sys.argv[2])], json.loads(sys.argv[3])
    rows = sys.argv[4] if len(sys.argv) > 4 else None
    needles = [w.encode() for w in words] + [k.to_bytes(8, 'little') for k in keys]
    def names(value):
      if isinstance(value, int): return value in keys
      if isinstance(value, str): return any(w in value.lower() for w in words)
      return isinstance(value, bytes) and any(n in value.lower() or n in value for n in needles)
    def of_sqlite():
      database = sqlite3.connect('file:' + folder + '/hearth.db?mode=ro', uri=True)
      for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        if table == 'search_index': continue
        for column in [row[1] for row in database.execute(f'PRAGMA table_info({table})')]:
          for (value,) in database.execute(f'SELECT {column} FROM {table}'): yield table, column, value
      database.close()
    def of_postgresql():
      for line in open(rows):
        row = json.loads(line)
        for column, value in row['row'].items():
          if isinstance(value, str) and value.startswith('\\\\x'): value = bytes.fromhex(value[2:])
          yield row['table'], column, value
    values = of_postgresql() if rows else of_sqlite()
    found = {f'{table}.{column}' for table, column, value in values if names(value)}
    for path, folders, files in os.walk(folder):
      if 'outbox' in folders: folders.remove('outbox')
      # A running server has a socket there, too.
      for file in [name for name in files if os.path.isfile(os.path.join(path, name))]:
        content = open(os.path.join(path, file), 'rb').read()
        if any(w.encode() in content.lower() for w in words): found.add('file ' + file)
    print(json.dumps(sorted(found)))
    """

  /// Each row of each table as a line of JSON.
  private static let postgreSQLRows = """
    SELECT format('SELECT json_build_object(''table'', %1$L, ''row'', row_to_json(t)) FROM %1$I AS t', table_name)
    FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' \\gexec

    """

  /// - Parameters:
  ///   - words: are searched in any case.
  ///   - keys: of the database.
  ///   - database: that of the servers on this folder.
  init(of folder: String, words: [String], keys: [Int64], in database: TestDatabase = .configured) async throws {
    var arguments = [folder, Value(words).text, "[\(keys.map(String.init).joined(separator: ","))]"]
    let rows = try TemporaryDirectory()
    if database == .postgresql {
      let name = try await ServerDatabases.name(forFolder: folder)
      let text = try await PostgreSQLCluster.shared().execute(Self.postgreSQLRows, in: name)
      try text.write(toFile: rows.path + "/rows", atomically: true, encoding: .utf8)
      arguments.append(rows.path + "/rows")
    }
    let output = try await PythonScript.run(code: Self.program, arguments)
    try #require(output.status == 0, "\(output.output)")
    locations = try Value(Array(output.output.utf8)).strings
  }
}
