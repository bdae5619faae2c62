import Synchronization
import Testing

/// The messages that all tests receive. Apps translate a message by its mutation, field, code and reason, so no two
/// messages may have all of these in common.
enum UserErrorSentences {
  private struct Key: Hashable {
    let mutation: String
    let field: [String]
    let code: String
    let reason: String?
  }

  private static let known = Mutex<[Key: String]>([:])

  /// Records an issue when an earlier message of this mutation, field, code and reason differs in more than the values
  /// of its parameters. Errors without all of their fields are not checked.
  static func check(_ error: Value, of mutation: String) {
    guard case .object(let members) = error, members["reason"] != nil, members["parameters"] != nil,
      members["field"] != nil, let code = error["code"].string, let message = error["message"].string
    else { return }
    let field = error["field"].strings.map { Int($0) == nil ? $0 : "#" }
    let key = Key(mutation: mutation, field: field, code: code, reason: error["reason"].string)
    let sentence = sentence(of: message, parameters: error["parameters"].list)
    let earlier = known.withLock { known in known.updateValue(sentence, forKey: key) }
    #expect(earlier == nil || earlier == sentence, "\(key): apps cannot tell these messages apart")
  }

  /// The message with the names of its parameters in place of their values.
  private static func sentence(of message: String, parameters: [Value]) -> String {
    var sentence = message
    // The longest value first, because it can contain another one.
    let values = parameters.sorted { ($0["value"].string ?? "").count > ($1["value"].string ?? "").count }
    for parameter in values {
      guard let name = parameter["name"].string, let value = parameter["value"].string, !value.isEmpty else { continue }
      sentence =
        name == "days"
        ? sentence.replacing(/\ba day\b|\b\d+ days\b/, with: "{days}") : sentence.replacing(value, with: "{\(name)}")
    }
    return sentence
  }
}
