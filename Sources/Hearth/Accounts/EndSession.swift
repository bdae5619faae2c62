import GraphQL

/// `endSession`: signs out a lost or forgotten device of the viewer, or of a child of the family.
enum EndSession {
  static let mutation = FieldBinding.mutation { arguments, context in
    let viewer = try context.requireParent()
    let key = context.cipher.key(of: arguments["id"])
    try await context.write { write in
      guard let key, key.kind == .session, try Sessions.end(key, for: viewer, in: write.transaction) else {
        throw RejectedInput(
          ["id"],
          code: .notFound,
          message: "Neither you nor a child of your family has a session with this id."
        )
      }
    }
    if key == viewer.session { context.signOut() }
    return .done
  }
}
