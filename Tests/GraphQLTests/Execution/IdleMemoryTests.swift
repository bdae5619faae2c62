import Bytes
import GraphQL
import JSON
import TestSupport
import Testing

/// The memory that an event loop keeps of executions that have ended, for later ones. `Documentation/operating.md`
/// states its limit.
@Suite("Idle memory of executions")
struct IdleMemoryTests {
  /// Runs in a separate process, in which nothing else allocates memory.
  @Test(.timeLimit(.minutes(10))) func `stays below the documented limit after bursts of requests`() async {
    await #expect(processExitsWith: .success) {
      let server = try ListServer("query ($count: Int!) { objects(count: $count) { text } }")
      try await server.run(10, objects: 2_000)
      let before = try ProcessMemory.reset()
      // Just not too much to be kept at all: three times the limit together. Then as much as counts as small, sixteen
      // times as often as is kept.
      try await server.run(256, objects: 2_000)
      try await server.run(4_096, objects: 100)
      let kept = try ProcessMemory.reset() - before
      #expect(kept < 64 << 20, "\(kept >> 20) MiB")
      #expect(kept > 8 << 20, "The requests are too small: \(kept >> 20) MiB")
    }
  }

  @Test(.timeLimit(.minutes(10))) func `stays below it after requests with many leaves`() async {
    await #expect(processExitsWith: .success) {
      let leaves = (0..<80).map { "l\($0): list(number: \($0))" }.joined(separator: " ")
      let server = try ListServer("query ($count: Int!) { objects(count: $count) { text \(leaves) } }")
      try await server.run(1, objects: 1)
      let before = try ProcessMemory.reset()
      // Each has 160,000 cells, and as many lists.
      try await server.run(20, objects: 2_000)
      let kept = try ProcessMemory.reset() - before
      #expect(kept < 32 << 20, "\(kept >> 20) MiB")
    }
  }

  @Test(.timeLimit(.minutes(10))) func `does not grow with a field before the last one of a mutation`() async {
    await #expect(processExitsWith: .success) {
      let server = try ListServer(
        "mutation ($count: Int!) { a: objects(count: $count) { text } b: objects(count: 1) { text } }"
      )
      try await server.run(1, objects: 1)
      let before = try ProcessMemory.reset()
      try await server.run(16, objects: 20_000)
      let kept = try ProcessMemory.reset() - before
      #expect(kept < 16 << 20, "\(kept >> 20) MiB")
    }
  }
}

/// Executes requests for lists of objects with many columns.
private final class ListServer {
  private let executable: ExecutableSchema
  private let executor: Executor
  private let operation: PreparedOperation

  init(_ document: String) throws {
    let schema = try SchemaBuilder.build(
      """
      type Query { objects(count: Int!): [Object!]! } type Mutation { objects(count: Int!): [Object!]! }
      type Object { text: String! list(number: Int!): [Int!] }
      """
    )
    let root = ObjectBinding(fields: [
      "objects": .asyncLoad(needs: []) { batch, _ in
        for key in 0..<(batch.arguments["count"]?.int ?? 0) { batch.add(0, key: key) }
      }
    ])
    let columns: [ColumnFormat] = [.text] + Array(repeating: .integer, count: 20)
    executable = try ExecutableSchema(
      schema,
      objects: [
        "Query": root, "Mutation": root,
        "Object": ObjectBinding(
          columns: columns,
          fields: ["text": .column(0), "list": .leaf(needs: []) { _ in .list([]) }],
          load: { keys, rows, _ in
            for key in keys { rows.set(rows.row(of: key).row, column: 0, text: String(repeating: "x", count: 100)) }
          }
        ),
      ]
    )
    executor = Executor(executable)
    operation = try Preparation(executable).prepare(Array(document.utf8), operationName: nil)
  }

  /// Executes so many requests at once.
  func run(_ count: Int, objects: Int) async throws {
    let variables = try VariableCoercion.coerce(
      GivenVariables(try JSONDocument(Array(#"{"count":\#(objects)}"#.utf8)).root),
      to: operation.variables,
      in: executable.schema,
      suggests: false
    )
    var executions: [Execution] = []
    for _ in 0..<count {
      let context = ListContext(executable.schema)
      if case .waiting(let execution) = try executor.start(operation, variables: variables, context: context) {
        executions.append(execution)
      }
    }
    #expect(executions.count == count)
    for execution in executions {
      let response = try await executor.finish(execution)
      #expect(response.count > objects * 100)
    }
  }
}

private final class ListContext: ExecutionContext {
  private let object: TypeID?

  init(_ schema: Schema) { object = schema.type(named: "Object") }

  func objectType(of key: Int64) -> TypeID? { object }
  func willSuspend() {}
  func report(_ error: any Error, at field: String) { Issue.record("\(field): \(error)") }
}
