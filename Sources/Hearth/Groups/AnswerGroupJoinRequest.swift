import GraphQL
import Storage

/// `acceptGroupJoinRequest` and `rejectGroupJoinRequest`, by admins of the group.
enum AnswerGroupJoinRequest {
  static let accept = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, in: context)
    let now = context.now
    let group = try await context.write { transaction in
      let (_, request) = try find(key, for: viewer, in: transaction)
      guard try Membership.hasRoom(for: request.person, in: transaction) else {
        throw RejectedInput([Membership.full(field)])
      }
      try GroupJoinRequest.accept(request, by: viewer.member, at: now, in: transaction)
      return request.group
    }
    return Payload(["group": [group]])
  }

  /// The person is not notified, and cannot ask again for 30 days.
  static let reject = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, in: context)
    let now = context.now
    let removed = try await context.write { transaction in
      let (key, request) = try find(key, for: viewer, in: transaction)
      try GroupJoinRequest.delete(request.person, to: request.group, in: transaction)
      try GroupExclusion.insert(request.person, from: request.group, isRemoval: false, at: now, in: transaction)
      return key
    }
    return Payload(removed: removed)
  }

  private static let field = ["input", "requestId"]

  private static func key(_ arguments: Arguments, in context: RequestContext) -> GlobalID? {
    context.cipher.key(of: arguments["input"]?["requestId"])
  }

  private static func find(
    _ key: GlobalID?,
    for viewer: Viewer,
    in transaction: WriteTransaction
  ) throws -> (key: GlobalID, request: GroupJoinRequest.Found) {
    guard let key, let request = try GroupJoinRequest.find(key, byAdmin: viewer.member, in: transaction) else {
      throw RejectedInput(field, code: .notFound, message: "No open request has this id.")
    }
    return (key, request)
  }
}
