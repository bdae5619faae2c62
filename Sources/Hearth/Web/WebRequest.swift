import CCurl

/// A request to another server with bounded time and size: a POST request if it has a body, otherwise a GET request.
/// Redirects are not followed, and certificates are verified.
struct WebRequest: Sendable {
  struct Response: Sendable {
    let status: Int
    let body: [UInt8]
    /// The `max-age` directive in seconds, if the server sent one (RFC 9111, section 5.2.2.1).
    let maxAge: Int64?
    /// How long the server asks to wait, in milliseconds (RFC 9110, section 10.2.3).
    let retryAfter: Int64?
  }

  let url: WebURL
  /// Lines such as `content-type: application/json`.
  var headers: [String] = []
  var body: [UInt8]?
  /// The timeout of the whole request, in milliseconds.
  let timeout: Int
  /// The maximum size of the response to a GET request in bytes. The request fails if the response is larger.
  var maximumSize = 256 << 10
  var usesHTTP2 = false
  /// Whether to connect to hosts on the internet only, whatever the name resolves to. There is then no proxy.
  var requiresPublicAddress = false
  /// A file of trusted certificates; nil for those of the system.
  var authorities: String?

  /// How much of the response to a POST request is read, in bytes.
  private static let maximumSizeOfPost = 16 << 10

  /// Performs the request. Blocks, so it must not be called on an event loop.
  ///
  /// - Parameter connections: those of earlier requests. Without them, the request has a connection of its own.
  func perform(on connections: WebConnections = WebConnections()) throws(WebFailure) -> Response {
    try connections.withHandle { handle throws(WebFailure) in
      var lines: UnsafeMutablePointer<curl_slist>?
      defer { curl_slist_free_all(lines) }
      for line in headers { lines = curl_slist_append(lines, line) }
      // libcurl would wait for a response to this header.
      if body != nil { lines = curl_slist_append(lines, "expect:") }
      // The handle holds unmanaged pointers to these, so they must outlive the transfer.
      let download = WebDownload(maximumSize: body == nil ? maximumSize : Self.maximumSizeOfPost)
      let result = try withExtendedLifetime((download, connections)) { () throws(WebFailure) in
        let result = (body ?? []).withUnsafeBytes { bytes in
          let options = options(handle, lines: lines, body: bytes, download: download, connections: connections)
          return options.allSatisfy { $0 == CURLE_OK } ? curl_easy_perform(handle) : nil
        }
        guard let result else { throw WebFailure(description: "libcurl does not support a required option.") }
        return result
      }
      let status = ccurl_response_code(handle)
      // A response to a POST request that is too large has a status, and what was sent has arrived.
      guard result == CURLE_OK || (body != nil && result == CURLE_WRITE_ERROR && status != 0) else {
        throw WebFailure(description: String(cString: curl_easy_strerror(result)))
      }
      return Response(
        status: status,
        body: download.body,
        maxAge: download.maxAge,
        retryAfter: download.retryAfter.map { $0 * 1000 }
      )
    }
  }

  private func options(
    _ handle: UnsafeMutableRawPointer,
    lines: UnsafeMutablePointer<curl_slist>?,
    body bytes: UnsafeRawBufferPointer,
    download: WebDownload,
    connections: WebConnections
  ) -> [CURLcode] {
    let target = Unmanaged.passUnretained(download).toOpaque()
    var options = [
      ccurl_set_text(handle, CURLOPT_URL, url.text),
      ccurl_set_list(handle, CURLOPT_HTTPHEADER, lines),
      ccurl_set_writer(handle, WebDownload.write, target),
      ccurl_set_header_writer(handle, WebDownload.writeHeader, target),
      ccurl_set_number(handle, CURLOPT_NOPROGRESS, 0),
      ccurl_set_progress(handle, WebConnections.progress, Unmanaged.passUnretained(connections).toOpaque()),
      ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
      // Timeouts must not use signals, because the process has other threads.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
    ]
    if body != nil {
      options.append(ccurl_set_number(handle, CURLOPT_POST, 1))
      options.append(ccurl_set_body(handle, bytes.baseAddress ?? UnsafeRawPointer(target), bytes.count))
    }
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

/// Why a request failed, for the log. It never contains the URL, which may include a secret.
struct WebFailure: Error, CustomStringConvertible {
  let description: String
}
