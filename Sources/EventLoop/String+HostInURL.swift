extension String {
  /// A host as it is written in a URL: an IPv6 address in brackets (RFC 3986, section 3.2.2).
  package var hostInURL: String { contains(":") ? "[\(self)]" : self }
}
