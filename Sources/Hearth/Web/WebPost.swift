import CCurl

/// A POST request to another server with bounded time and size. Redirects are not followed, and certificates are
/// verified.
struct WebPost: Sendable {
  struct Response: Sendable {
    let status: Int
    let body: [UInt8]
    /// How long the server asks to wait, in milliseconds (RFC 9110, section 10.2.3).
    let retryAfter: Int64?
  }

  let url: WebURL
  /// Lines such as `content-type: application/json`.
  let headers: [String]
  let body: [UInt8]
  /// The timeout of the whole request, in milliseconds.
  let timeout: Int
  var usesHTTP2 = false
  /// Whether to connect to hosts on the internet only, whatever the name resolves to. There is then no proxy.
  var requiresPublicAddress = false
  /// A file of trusted certificates; nil for those of the system.
  var authorities: String?

  private static let maximumSize = 16 << 10

  /// Performs the request. Blocks, so it must not be called on an event loop.
  func perform(on connections: WebConnections) throws(WebFailure) -> Response {
    try connections.withHandle { handle throws(WebFailure) in
      var lines: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(lines) }
      // libcurl would wait for a response to this header.
      for line in headers + ["expect:"] { lines = curl_slist_append(lines, line) }
      // The handle holds unmanaged pointers to these, so they must outlive the transfer.
      let download = WebDownload(maximumSize: Self.maximumSize)
      let result = try withExtendedLifetime((download, connections)) { () throws(WebFailure) in
        let result = body.withUnsafeBytes { bytes in
          let options = options(handle, lines: lines, body: bytes, download: download, connections: connections)
          return options.allSatisfy { $0 == CURLE_OK } ? curl_easy_perform(handle) : nil
        }
        guard let result else { throw WebFailure(description: "libcurl does not support a required option.") }
        return result
      }
      // A response that is too large has a status, and what was sent has arrived.
      guard result == CURLE_OK || (result == CURLE_WRITE_ERROR && ccurl_response_code(handle) > 0) else {
        throw WebFailure(description: String(cString: curl_easy_strerror(result)))
      }
      return Response(
        status: ccurl_response_code(handle),
        body: download.body,
        retryAfter: download.retryAfter.map { $0 * 1000 }
      )
    }
  }

  private func options(
    _ handle: UnsafeMutableRawPointer,
    lines: UnsafeMutablePointer<curl_slist>?,
    body: UnsafeRawBufferPointer,
    download: WebDownload,
    connections: WebConnections
  ) -> [CURLcode] {
    let target = Unmanaged.passUnretained(download).toOpaque()
    var options = [
      ccurl_set_text(handle, CURLOPT_URL, url.text),
      ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines),
      ccurl_set_number(handle, CURLOPT_POST, 1),
      ccurl_set_body(handle, body.baseAddress ?? UnsafeRawPointer(target), body.count),
      ccurl_set_writer(handle, WebDownload.write, target),
      ccurl_set_header_writer(handle, WebDownload.writeHeader, target),
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
      ccurl_set_progress(handle, WebConnections.progress, Unmanaged.passUnretained(connections).toOpaque()),
      ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
      // Timeouts must not use signals, because the process has other threads.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
    ]
    if usesHTTP2 {
      options.append(ccurl_set_number(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS)))
    }
    if requiresPublicAddress { options.append(ccurl_require_public_address(handle)) }
    // Requests to this machine do not use a proxy.
    if requiresPublicAddress || url.isLoopback { options.append(ccurl_set_text(handle, CURLOPT_PROXY, "")) }
    if let authorities { options.append(ccurl_set_text(handle, CURLOPT_CAINFO, authorities)) }
    return options
  }
}
