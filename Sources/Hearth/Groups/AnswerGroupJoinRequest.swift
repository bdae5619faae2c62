import GraphQL
import Storage

/// `acceptGroupJoinRequest` and `rejectGroupJoinRequest`, by admins of the group.
enum AnswerGroupJoinRequest {
  static let accept = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, context)
    let now = context.now
    let group = try await context.write { transaction in
      let request = try find(key, viewer, transaction)
      guard try Membership.hasRoom(for: request.person, transaction) else {
        throw RejectedInput([Membership.full(field)])
      }
      try GroupJoinRequest.accept(request, by: viewer.member, at: now, transaction)
      return request.group
    }
    return Payload(["group": [group]])
  }

  /// The person is not notified, and cannot ask again for 30 days.
  static let reject = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, context)
    let now = context.now
    let removed = try await context.write { transaction in
      let request = try find(key, viewer, transaction)
      try GroupJoinRequest.delete(request.person, to: request.group, transaction)
      try GroupExclusion.insert(request.person, from: request.group, isRemoval: false, at: now, transaction)
      return key
    }
    return removed.map(Payload.init(removed:)) ?? Payload([:])
  }

  private static let field = ["input", "requestId"]

  private static func key(_ arguments: Arguments, _ context: RequestContext) -> GlobalID? {
    context.services.cipher.key(of: arguments["input"]?["requestId"]?.string ?? "")
  }

  private static func find(
    _ key: GlobalID?,
    _ viewer: Viewer,
    _ transaction: WriteTransaction
  ) throws -> GroupJoinRequest.Found {
    guard let request = try GroupJoinRequest.find(key, byAdmin: viewer.member, transaction) else {
      throw RejectedInput(field, .notFound, "No open request has this id.")
    }
    return request
  }
}
