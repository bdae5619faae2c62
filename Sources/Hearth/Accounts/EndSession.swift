import GraphQL

/// `endSession`: signs a lost or forgotten device out.
enum EndSession {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let services = context.services
    guard let key = services.cipher.key(of: arguments["id"]?.string ?? ""), key.kind == .session,
      try await context.write({ try Sessions.end(key, of: viewer.member, services, $0) })
    else {
      return Payload(errors: [
        UserError(field: ["id"], code: .notFound, message: "None of your sessions has this id.")
      ])
    }
    if key == viewer.session { context.viewer = nil }
    return .done
  }
}
