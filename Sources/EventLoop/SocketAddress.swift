import Glibc

/// An IPv4 or IPv6 address of one end of a connection.
struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// Resolves `host`, which blocks if it is a name.
  init(host: String, port: UInt16) throws(ListenError) {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    // "localhost" can resolve to ::1 first, where a client of 127.0.0.1 could not connect.
    let name = host == "localhost" ? "127.0.0.1" : host
    guard getaddrinfo(name, String(port), &hints, &found) == 0, let first = found, let address = first.pointee.ai_addr
    else { throw .unknownHost(host) }
    defer { freeaddrinfo(first) }
    length = min(first.pointee.ai_addrlen, length)
    withUnsafeMutableBytes(of: &storage) { room in
      room.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(length)))
    }
  }

  /// The address that a socket of this process is bound to.
  init(localOf descriptor: Int32) {
    withUnsafeMutablePointer(to: &storage) { pointer in
      _ = getsockname(descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
    }
  }

  /// The address at the other end of a connection.
  init(peerOf descriptor: Int32) {
    withUnsafeMutablePointer(to: &storage) { pointer in
      _ = getpeername(descriptor, UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), &length)
    }
  }

  /// The numeric address without the port; nil if there is none.
  var host: String? {
    var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let status = withUnsafePointer(to: storage) { pointer in
      getnameinfo(
        UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self),
        length,
        &text,
        socklen_t(text.count),
        nil,
        0,
        NI_NUMERICHOST
      )
    }
    guard status == 0 else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  var family: Int32 { Int32(storage.ss_family) }

  var port: UInt16 {
    // The port has the same offset in both versions, in network byte order.
    withUnsafeBytes(of: storage) { bytes in
      UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: MemoryLayout<sa_family_t>.size, as: UInt16.self))
    }
  }

  func bind(_ descriptor: Int32) -> Int32 {
    withUnsafePointer(to: storage) { pointer in
      Glibc.bind(descriptor, UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self), length)
    }
  }
}
