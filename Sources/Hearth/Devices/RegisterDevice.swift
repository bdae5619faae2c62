import Foundation
import GraphQL
import Storage

/// `registerDevice`: the device of the viewer's session receives notifications from now on.
enum RegisterDevice {
  private struct Address: Sendable {
    let kind: DeviceKind
    let text: String
    var secret: [UInt8]?
    var isSandbox = false
  }

  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    var form = InputForm(arguments["input"], at: ["input"])
    let name = form.line("name", subject: "A name", required: false)
    let address = address(&form, settings: context.configuration.push)
    guard let address, form.errors.isEmpty else { return Payload(errors: form.errors) }
    try await context.take(.deviceRegistration, by: .person(viewer.member))
    let key = try await context.write { write in
      try Device.register(
        Device(
          id: GlobalID(.device, number: 0),
          member: viewer.member,
          session: viewer.session,
          kind: address.kind.channel,
          address: address.text,
          secret: address.secret,
          isSandbox: address.isSandbox,
          name: name,
          createdAt: write.now
        ),
        in: write.transaction
      )
    }
    return Payload(["device": [key]])
  }

  private static func address(_ form: inout InputForm, settings: PushSettings) -> Address? {
    let given = form["address"]
    let kind = ["web", "apple"].first { name in given?[name].map { !$0.isNull } ?? false } ?? "google"
    var fields = InputForm(given?[kind], at: form.path("address") + [kind])
    let address =
      switch kind {
      case "web": web(&fields, settings: settings)
      case "apple": apple(&fields, isConfigured: settings.apple != nil)
      default: google(&fields, isConfigured: settings.google != nil)
      }
    form.reject(fields.errors)
    return address
  }

  /// A push subscription of a browser.
  private static func web(_ form: inout InputForm, settings: PushSettings) -> Address? {
    let endpoint = form["endpoint"]?.string ?? ""
    if endpoint.utf8.count > 2_000 {
      form.reject(
        "endpoint",
        code: .tooLong,
        message: "An endpoint can have at most \(maximum: 2_000) characters."
      )
    } else if let url = WebURL(endpoint) {
      if !settings.accepts(url) {
        form.reject("endpoint", code: .notAllowed, message: "This server does not send to this push service.")
      }
    } else {
      form.reject("endpoint", code: .invalid, message: "This is not the URL of a push subscription.")
    }
    let key = bytes("p256dh", count: WebPushKeys.publicKeyLength, &form)
    let secret = bytes("auth", count: WebPushKeys.secretLength, &form)
    guard form.errors.isEmpty else { return nil }
    guard WebPushKeys(key + secret) != nil else {
      form.reject(
        "p256dh",
        code: .invalid,
        reason: .notPublicKey,
        message: "This is not the public key of a push subscription."
      )
      return nil
    }
    return Address(kind: .web, text: endpoint, secret: key + secret)
  }

  private static func bytes(_ field: String, count: Int, _ form: inout InputForm) -> [UInt8] {
    let given = form[field]?.string ?? ""
    // Some clients encode keys with `btoa`: in the standard alphabet, with padding.
    let text = (given.utf8.count <= 200 ? given[...] : "").trimmingSuffix("=")
      .replacing("+", with: "-").replacing("/", with: "_")
    guard let bytes = Base64URL.decode(text.utf8), bytes.count == count else {
      form.reject(field, code: .invalid, message: "This must be \(count, as: "bytes") bytes in base64url.")
      return []
    }
    return Array(bytes)
  }

  private static func apple(_ form: inout InputForm, isConfigured: Bool) -> Address? {
    let token = form["token"]?.string ?? ""
    guard isConfigured else {
      form.reject("token", code: .notAllowed, message: "This server does not send to Apple's push service.")
      return nil
    }
    guard (32...200).contains(token.utf8.count), token.utf8.allSatisfy(Self.isHexadecimal) else {
      form.reject("token", code: .invalid, message: "This is not a device token in hexadecimal digits.")
      return nil
    }
    return Address(kind: .apple, text: token.lowercased(), isSandbox: form["sandbox"]?.boolean ?? false)
  }

  private static func google(_ form: inout InputForm, isConfigured: Bool) -> Address? {
    let token = form["token"]?.string ?? ""
    guard isConfigured else {
      form.reject("token", code: .notAllowed, message: "This server does not send to Google's push service.")
      return nil
    }
    guard (20...1_000).contains(token.utf8.count), token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      form.reject("token", code: .invalid, message: "This is not a registration token.")
      return nil
    }
    return Address(kind: .google, text: token)
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(_ character: Character) -> String {
    var text = self
    while text.last == character { text.removeLast() }
    return String(text)
  }
}

/// `unregisterDevice`: a device of the viewer, or of a child of the family, receives no more notifications.
enum UnregisterDevice {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireViewer()
    let key = context.cipher.key(of: arguments["id"])
    let removed = try await context.write { write in
      guard let key, key.kind == .device else { throw notFound }
      try write.transaction.run(Device.deleteOne, (device: key, member: viewer.member, family: viewer.family))
      guard write.transaction.changedRows > 0 else { throw notFound }
      return key
    }
    return Payload(removed: removed)
  }

  private static let notFound = RejectedInput(
    ["id"],
    code: .notFound,
    message: "Neither you nor a child of your family has a device with this id."
  )
}
