import Bytes

/// The body of a response.
package enum ResponseBody: ~Copyable, Sendable {
  case own(ByteBuffer)
  /// Bytes that other responses have too. They are not copied for each.
  case shared([UInt8])
  /// Only the number of bytes, for a response to HEAD, which declares it.
  case omitted(count: Int)

  package var count: Int {
    switch self {
    case .own(let buffer): buffer.count
    case .shared(let bytes): bytes.count
    case .omitted(let count): count
    }
  }

  func append(to output: inout ByteBuffer) {
    switch self {
    case .own(let buffer): output.append(buffer)
    case .shared(let bytes): output.append(bytes)
    case .omitted: break
    }
  }

  /// The bytes, copied if they are shared.
  package consuming func take() -> ByteBuffer {
    switch consume self {
    case .own(let buffer): return buffer
    case .shared(let bytes): return ByteBuffer(bytes)
    case .omitted: return ByteBuffer()
    }
  }
}
