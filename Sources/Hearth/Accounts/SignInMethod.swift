import Storage

/// How a session was opened.
enum SignInMethod: String, StoredEnumeration {
  case password = "PASSWORD", code = "CODE", identity = "IDENTITY", passwordReset = "PASSWORD_RESET"
}

extension Sessions {
  /// How and by whom a session was opened.
  struct Origin: Sendable {
    let method: SignInMethod
    /// The adult whose password, identity, mail or sign-in code was used. Nil for codes from before this was recorded.
    let opener: GlobalID?

    init(_ method: SignInMethod, by opener: GlobalID?) {
      self.method = method
      self.opener = opener
    }
  }
}
