import CCurl

/// libcurl, which sends mail and requests to other servers.
enum Curl {
  /// Initialized once per process, before the first handle is created.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
