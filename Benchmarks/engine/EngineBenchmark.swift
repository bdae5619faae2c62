import Foundation
import GraphQL
import Hearth

/// The cost of a new document: parsing it, validating it, and planning its operation.
///
///     engine-benchmark SCHEMA DOCUMENT...
///     engine-benchmark --hostile
///
/// Prints a line of JSON for each document: microseconds, the median over many runs. With `--hostile` the documents are
/// the hostile ones, and the figures their milliseconds of processor time.
@main
enum EngineBenchmark {
  static func main() throws {
    let paths = CommandLine.arguments.dropFirst()
    guard let schemaPath = paths.first else {
      return print("usage: engine-benchmark SCHEMA DOCUMENT...\n       engine-benchmark --hostile")
    }
    // As the server does. Otherwise the memory of a large document is returned to the kernel and requested again for
    // each parse, which takes three times as long.
    Server.keepFreedMemory()
    if schemaPath == "--hostile" { return try HostileBenchmark.run() }
    let executable = try HearthSchema.executable(String(contentsOfFile: schemaPath, encoding: .utf8))
    for path in paths.dropFirst() {
      let bytes = Array(try Data(contentsOf: URL(filePath: path)))
      let source = Source(bytes)
      let document = try Parser.parse(source, options: .trusted)
      let parse = try median { _ = try Parser.parse(source, options: .trusted) }
      let validate = try median {
        let errors = Validator.validate(document, against: executable.schema)
        guard errors.isEmpty else { throw SchemaError(errors) }
      }
      var preparation = Preparation(executable)
      preparation.parsing = .trusted
      let name = document.children(of: 0, .operationDefinition).map { document.name($0) }.first
      let all = try median {
        let operation = try preparation.prepare(bytes, operationName: name?.isEmpty == true ? nil : name)
        _ = try? operation.plan(for: .none)
      }
      let figures: [String: Any] = [
        "document": URL(filePath: path).lastPathComponent, "bytes": bytes.count, "parse": parse, "validate": validate,
        "plan": max(all - parse - validate, 0),
      ]
      print(String(decoding: try JSONSerialization.data(withJSONObject: figures, options: .sortedKeys), as: UTF8.self))
    }
  }

  /// Runs `work` for half a second in samples of about a millisecond, and gives the median time of one run.
  private static func median(_ work: () throws -> Void) throws -> Double {
    let clock = ContinuousClock()
    let first = try clock.measure { try work() }
    let once = max(Double(first.components.attoseconds) / 1e12, 0.1)
    let count = max(1, Int(1000 / once))
    var samples: [Double] = []
    let end = clock.now + .milliseconds(500)
    while clock.now < end || samples.count < 5 {
      let elapsed = try clock.measure { for _ in 0..<count { try work() } }
      let microseconds = Double(elapsed.components.seconds) * 1e6 + Double(elapsed.components.attoseconds) / 1e12
      samples.append(microseconds / Double(count))
    }
    return samples.sorted()[samples.count / 2]
  }
}
