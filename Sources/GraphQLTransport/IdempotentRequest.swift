import Crypto
import GraphQL
import JSON

/// A mutation with an idempotency key.
package struct IdempotentRequest: Sendable {
  package let key: String
  /// A SHA-256 of all that determines what the mutation does: the document, the operation's name, the variables and the
  /// files. The order of an object's members and the white space of JSON do not change it, because clients may encode a
  /// repeated request in another way.
  package let fingerprint: [UInt8]

  /// The number of bytes of the longest response that `IdempotentExecution.keep` receives.
  package static let maximumResponseBytes = 16 << 10

  init?(_ request: GraphQLRequest, files: [UploadedFile]) {
    guard let key = request.idempotencyKey else { return nil }
    self.key = key
    var hash = SHA256()
    func add(_ bytes: some Collection<UInt8>) {
      withUnsafeBytes(of: UInt64(bytes.count).littleEndian) { hash.update(bufferPointer: $0) }
      let isContiguous: Void? = bytes.withContiguousStorageIfAvailable {
        hash.update(bufferPointer: UnsafeRawBufferPointer($0))
      }
      if isContiguous == nil { hash.update(data: Array(bytes)) }
    }
    // A document is the same whether it is sent, named by its SHA-256, or both: clients of persisted queries send a
    // repeated request in another of these forms.
    add(request.hasDocument ? SHA256Digits.hex(of: request.document)[...] : request.documentID ?? [])
    add((request.operationName ?? "").utf8)
    add(Self.canonical(request.variables))
    add(request.onError.rawValue.utf8)
    for file in files { add(file.content) }
    fingerprint = Array(hash.finalize())
  }

  /// The variables without white space, and with the members of objects in the order of their names.
  private static func canonical(_ variables: GivenVariables) -> [UInt8] {
    var text: [UInt8] = []
    if let object = variables.object { append(object, to: &text) }
    return text
  }

  private static func append(_ value: JSONValue, to text: inout [UInt8]) {
    if let members = value.members {
      text.append(UInt8(ascii: "{"))
      // By bytes: Swift takes quadratic time to compare texts with many combining marks.
      let sorted = members.map { (name: $0.key.string ?? "", value: $0.value) }
        .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
      for member in sorted {
        append(string: member.name, to: &text)
        append(member.value, to: &text)
      }
      text.append(UInt8(ascii: "}"))
    } else if let elements = value.elements {
      text.append(UInt8(ascii: "["))
      for element in elements {
        append(element, to: &text)
        text.append(UInt8(ascii: ","))
      }
      text.append(UInt8(ascii: "]"))
    } else if let string = value.string {
      append(string: string, to: &text)
    } else {
      text.append(contentsOf: value.rawBytes)
    }
  }

  /// With its length, so that no other value has the same text.
  private static func append(string: String, to text: inout [UInt8]) {
    text.append(contentsOf: "\(string.utf8.count):\(string)".utf8)
  }
}
