/// How a session was opened.
enum SignInMethod: String, StoredEnumeration {
  case password = "PASSWORD", code = "CODE", identity = "IDENTITY", passwordReset = "PASSWORD_RESET"
}

extension Sessions {
  /// How a session was opened, and by whom.
  struct Origin: Sendable {
    let method: SignInMethod
    /// The adult whose password, provider, mail or sign-in code it was. Nil for codes from before it was recorded.
    let opener: GlobalID?

    init(_ method: SignInMethod, by opener: GlobalID?) {
      self.method = method
      self.opener = opener
    }
  }
}
