import HTTP

extension HTTPLimits {
  /// The default limits, changed by a test.
  init(_ change: (inout HTTPLimits) -> Void) {
    self.init()
    change(&self)
  }
}
