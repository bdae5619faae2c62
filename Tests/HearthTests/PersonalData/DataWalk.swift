import Foundation
import TestSupport
import Testing

/// Everything that a data folder contains about somebody: a walk through every column of every table, those behind the
/// search index included, and through the bytes of every file. Python's `sqlite3` reads the database.
struct DataWalk {
  /// `table.column` for each column with a text or a key that was searched, and `file name` for each file.
  let places: [String]

  /// The mails in the outbox were delivered: what was sent is not the server's any more.
  private static let program = """
    import json, os, sqlite3, sys
    folder, words, keys = sys.argv[1], [w.lower() for w in json.loads(sys.argv[2])], json.loads(sys.argv[3])
    needles = [w.encode() for w in words] + [k.to_bytes(8, 'little') for k in keys]
    def names(value):
      if isinstance(value, int): return value in keys
      if isinstance(value, str): return any(w in value.lower() for w in words)
      return isinstance(value, bytes) and any(n in value.lower() or n in value for n in needles)
    found = set()
    database = sqlite3.connect('file:' + folder + '/hearth.db?mode=ro', uri=True)
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
      if table == 'search_index': continue
      for column in [row[1] for row in database.execute(f'PRAGMA table_info({table})')]:
        for (value,) in database.execute(f'SELECT {column} FROM {table}'):
          if names(value): found.add(f'{table}.{column}')
    database.close()
    for path, folders, files in os.walk(folder):
      if 'outbox' in folders: folders.remove('outbox')
      for file in files:
        content = open(os.path.join(path, file), 'rb').read()
        if any(w.encode() in content.lower() for w in words): found.add('file ' + file)
    print(json.dumps(sorted(found)))
    """

  /// - Parameters:
  ///   - words: are searched in any case.
  ///   - keys: of the database.
  init(of folder: String, words: [String], keys: [Int64]) async throws {
    let arguments = [folder, Value(words).text, "[\(keys.map(String.init).joined(separator: ","))]"]
    let output = try await TestThread { try Python.run(["-c", Self.program] + arguments) }.value
    try #require(output.status == 0, "\(output.output)")
    places = try Value(Array(output.output.utf8)).strings
  }
}
