import CCurl

/// A GET request to another server with bounded time and size. Redirects are not followed, and certificates are
/// verified.
struct WebRequest: Sendable {
  struct Response: Sendable {
    let status: Int
    let body: [UInt8]
    /// The `max-age` directive in seconds, if the server sent one (RFC 9111, section 5.2.2.1).
    let maxAge: Int64?
  }

  let url: WebURL
  /// The timeout of the whole request, in milliseconds.
  let timeout: Int
  /// The maximum size of the response in bytes. The request fails if the response is larger.
  var maximumSize = 256 << 10

  /// Performs the request. Blocks, so it must not be called on an event loop.
  func perform() throws(WebFailure) -> Response {
    guard Curl.isReady, let handle = curl_easy_init() else {
      throw WebFailure(description: "libcurl could not be started.")
    }
    defer { curl_easy_cleanup(handle) }
    // The handle holds unmanaged pointers to `download`, so it must outlive the transfer.
    let download = WebDownload(maximumSize: maximumSize)
    return try withExtendedLifetime(download) { () throws(WebFailure) in
      guard options(handle, download: download).allSatisfy({ $0 == CURLE_OK }) else {
        throw WebFailure(description: "libcurl does not support a required option.")
      }
      let result = curl_easy_perform(handle)
      guard result == CURLE_OK else {
        throw WebFailure(description: String(cString: curl_easy_strerror(result)))
      }
      return Response(status: ccurl_response_code(handle), body: download.body, maxAge: download.maxAge)
    }
  }

  private func options(_ handle: UnsafeMutableRawPointer, download: WebDownload) -> [CURLcode] {
    let target = Unmanaged.passUnretained(download).toOpaque()
    var options = [
      ccurl_set_text(handle, CURLOPT_URL, url.text),
      ccurl_set_writer(handle, WebDownload.write, target),
      ccurl_set_header_writer(handle, WebDownload.writeHeader, target),
      ccurl_set_number(handle, CURLOPT_TIMEOUT_MS, timeout),
      // Timeouts must not use signals, because the process has other threads.
      ccurl_set_number(handle, CURLOPT_NOSIGNAL, 1),
    ]
    // Requests to this machine do not use a proxy.
    if url.isLoopback { options.append(ccurl_set_text(handle, CURLOPT_PROXY, "")) }
    return options
  }
}

/// Why a request failed, for the log. It never contains the URL, which may include a secret.
struct WebFailure: Error, CustomStringConvertible {
  let description: String
}
