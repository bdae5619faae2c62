import CCurl

/// The response while it is received. Used only on the thread that performs the request.
final class WebDownload {
  private let maximumSize: Int
  private(set) var body: [UInt8] = []
  private(set) var maxAge: Int64?
  /// In seconds, if the server has sent a number.
  private(set) var retryAfter: Int64?

  init(maximumSize: Int) { self.maximumSize = maximumSize }

  /// Returning less than the length aborts the transfer.
  static let write: curl_write_callback = { bytes, size, count, download in
    guard let bytes, let download else { return 0 }
    let length = size * count
    return Unmanaged<WebDownload>.fromOpaque(download).takeUnretainedValue()
      .take(UnsafeRawBufferPointer(start: bytes, count: length)) ? length : 0
  }

  static let writeHeader: curl_write_callback = { bytes, size, count, download in
    guard let bytes, let download else { return 0 }
    let length = size * count
    Unmanaged<WebDownload>.fromOpaque(download).takeUnretainedValue()
      .readHeader(UnsafeRawBufferPointer(start: bytes, count: length))
    return length
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard body.count + bytes.count <= maximumSize else { return false }
    body += bytes
    return true
  }

  private func readHeader(_ bytes: UnsafeRawBufferPointer) {
    let line = String(decoding: bytes.prefix(1000), as: UTF8.self).lowercased()
    if line.hasPrefix("retry-after:") {
      retryAfter = Int64(line.dropFirst("retry-after:".count).filter { !$0.isWhitespace }).map {
        min(max($0, 0), 86_400)
      }
    }
    guard line.hasPrefix("cache-control:") else { return }
    for directive in line.dropFirst("cache-control:".count).split(separator: ",") {
      let parts = directive.split(separator: "=", maxSplits: 1).map { $0.filter { !$0.isWhitespace && $0 != "\"" } }
      if parts == ["no-store"] || parts == ["no-cache"] { maxAge = 0 }
      if parts.count == 2, parts[0] == "max-age", maxAge == nil { maxAge = Int64(parts[1]) }
    }
  }
}
