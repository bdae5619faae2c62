import HTTP

/// The key with which a client marks a mutation that it may send again: the header `Idempotency-Key`
/// (draft-ietf-httpapi-idempotency-key-header), or `extensions.idempotencyKey`.
enum IdempotencyKey {
  static let requirement = "1 to 255 visible ASCII characters"

  static func isValid(_ key: ArraySlice<UInt8>) -> Bool {
    (1...255).contains(key.count) && key.allSatisfy { (0x21...0x7E).contains($0) }
  }

  /// The key in a header. The draft makes it a string in quotation marks. Many clients send it without them.
  static func read(header value: ArraySlice<UInt8>) throws(BadRequestError) -> String {
    var key = value
    let quote = UInt8(ascii: "\"")
    if key.count >= 2, key.first == quote, key.last == quote { key = key.dropFirst().dropLast() }
    // Escapes are not supported, so that each key has one form.
    guard isValid(key), !key.contains(quote), !key.contains(UInt8(ascii: "\\")) else {
      throw BadRequestError("The header `Idempotency-Key` must have \(requirement), without `\"` and `\\`.")
    }
    return key.text
  }
}

extension GraphQLRequest {
  /// Adopts the key of the request's header. A key that is not usable is an error of a mutation only, so it is kept
  /// until the operation is known.
  mutating func adoptIdempotencyKey(of request: HTTPRequest) {
    do throws(BadRequestError) {
      idempotencyKey = try key(of: request) ?? idempotencyKey
    } catch {
      idempotencyFault = error.message
    }
  }

  private func key(of request: HTTPRequest) throws(BadRequestError) -> String? {
    guard let value = request[.idempotencyKey] else { return nil }
    guard request.values(of: .idempotencyKey).count == 1 else {
      throw BadRequestError("The header `Idempotency-Key` is given twice.")
    }
    let key = try IdempotencyKey.read(header: value)
    guard idempotencyKey == nil || idempotencyKey == key else {
      throw BadRequestError("`extensions.idempotencyKey` and the header `Idempotency-Key` differ.")
    }
    return key
  }
}
