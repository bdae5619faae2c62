import Storage

/// The kinds of devices. A stored value is that of the `PushChannel`.
enum DeviceKind: String, StoredEnumeration {
  case web = "WEB", apple = "APPLE", google = "GOOGLE"

  var channel: PushChannel {
    switch self {
    case .web: .web
    case .apple: .apple
    case .google: .google
    }
  }
}
