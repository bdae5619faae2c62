@testable import GraphQL

extension Zoo {
  static let query = ObjectBinding(fields: [
    "cat": one("Cat"),
    "dog": one("Dog"),
    "node": .load(needs: []) { batch, _ in
      if let key = node(batch.arguments["id"]?.string ?? "") { batch.add(0, key: key) }
    },
    "nodes": .load(needs: []) { batch, _ in
      for id in batch.arguments["ids"]?.list ?? [] {
        if let key = node(id.string ?? "") { batch.add(0, key: key) } else { batch.addNull(0) }
      }
    },
    "named": .load(needs: []) { batch, context in
      zoo(context).count("Query.named", batch.count)
      for number in 0..<count(batch.arguments) { batch.add(0, key: mixed(number)) }
    },
    "things": .load(needs: []) { batch, _ in
      for number in 0..<count(batch.arguments) {
        if let key = thing(number + from(batch.arguments)) { batch.add(0, key: key) } else { batch.addNull(0) }
      }
    },
    "echo": .leaf(needs: []) { view in .string(shown(view.arguments)) },
    "pick": .leaf(needs: []) { view in .string(shown(view.arguments["by"] ?? .null)) },
    "failing": .leaf(needs: []) { _ in throw FieldError("It fails.", code: .badUserInput) },
    "failingHard": .leaf(needs: []) { _ in throw FieldError("It fails hard.", code: .badUserInput) },
    "crashing": .leaf(needs: []) { _ in throw Secret() },
    "self": .load(needs: []) { batch, _ in batch.add(0, row: batch.row(0), of: batch.resultType) },
  ])

  /// An error that clients must not see.
  struct Secret: Error, CustomStringConvertible {
    var description: String { "a secret" }
  }

  static func one(_ kind: String) -> FieldBinding {
    .load(needs: []) { batch, _ in
      // The batch of a root field has one parent, but the resolver does not rely on that.
      for parent in 0..<batch.count { batch.add(parent, key: key(kind, Int(batch.arguments["n"]?.int ?? -1))) }
    }
  }

  static let mutation = ObjectBinding(fields: [
    "add": .asyncLoad(needs: []) { batch, context in
      await Task.yield()
      let number = batch.arguments["number"]?.int ?? 0
      zoo(context).history.append(number)
      if number >= 0 { batch.add(0, value: zoo(context).history, of: batch.resultType) }
    },
    "addOrFail": .asyncLoad(needs: []) { batch, context in
      let number = batch.arguments["number"]?.int ?? 0
      if number < 0 { throw FieldError("Too low.", code: .badUserInput) }
      zoo(context).history.append(number)
      batch.add(0, value: zoo(context).history, of: batch.resultType)
    },
    "total": .leaf(needs: []) { view in .int(zoo(view.context).history.reduce(0, +)) },
  ])

  static let counter = ObjectBinding(fields: [
    "value": .leaf(needs: []) { view in .int(history(view).reduce(0, +)) },
    "history": .leaf(needs: []) { view in .list(history(view).map(LeafValue.int)) },
    "cat": .load(needs: []) { batch, context in
      for parent in 0..<batch.count {
        batch.add(parent, key: key("Cat", history(batch.view(parent, in: context)).count))
      }
    },
  ])

  private static func history(_ view: ObjectView) -> [Int64] { view.value(as: [Int64].self) ?? [] }

  // MARK: Arguments as text

  static func shown(_ arguments: Arguments) -> String { shown(.object(arguments.fields)) }

  static func shown(_ value: InputValue) -> String {
    switch value {
    case .null: "null"
    case .int(let number): String(number)
    case .float(let number): LeafValue.text(number)
    case .boolean(let truth): String(truth)
    case .upload(let index): "upload \(index)"
    case .string(let text), .enumeration(let text): text
    case .list(let items): "[" + items.map(shown).joined(separator: ",") + "]"
    case .object(let fields):
      "{" + fields.sorted { $0.name < $1.name }.map { "\($0.name):\(shown($0.value))" }.joined(separator: ",") + "}"
    }
  }
}
