import CCurl

/// libcurl, which mail and requests to other servers go by.
enum Curl {
  /// Once for the process, and before its first handle.
  static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
