import GraphQL

/// `endSession`: signs out a lost or forgotten device of the viewer, or of a child of the family.
enum EndSession {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    guard let key = context.cipher.key(of: arguments["id"]), key.kind == .session,
      try await context.write({ try Sessions.end(key, for: viewer, in: $0.transaction) })
    else {
      return Payload(errors: [
        UserError(
          field: ["id"],
          code: .notFound,
          message: "Neither you nor a child of your family has a session with this id."
        )
      ])
    }
    if key == viewer.session { context.signOut() }
    return .done
  }
}
