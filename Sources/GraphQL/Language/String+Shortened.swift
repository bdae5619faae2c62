extension String {
  /// The text in a message: only its beginning if it is long. Scalars are counted, because one character can have as
  /// many bytes as the whole text.
  func shortened(to limit: Int) -> String {
    let beginning = String(unicodeScalars.prefix(limit))
    return beginning.utf8.count < utf8.count ? beginning + "…" : self
  }
}
