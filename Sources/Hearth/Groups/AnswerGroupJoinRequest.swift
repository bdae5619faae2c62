import GraphQL
import Storage

/// `acceptGroupJoinRequest` and `rejectGroupJoinRequest`, by admins of the group.
enum AnswerGroupJoinRequest {
  static let accept = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, in: context)
    let group = try await context.write { write in
      let (_, request) = try find(key, for: viewer, from: write.reader)
      guard try Membership.hasRoom(for: request.person, from: write.reader) else {
        throw RejectedInput([Membership.full(field)])
      }
      try GroupJoinRequest.accept(request, by: viewer.member, in: write)
      return request.group
    }
    return Payload(["group": [group]])
  }

  /// The person is not notified, and cannot ask again for 30 days.
  static let reject = FieldBinding.mutation(.single("requestId")) { arguments, context in
    let viewer = try context.requireParent()
    let key = key(arguments, in: context)
    let removed = try await context.write { write in
      let (key, request) = try find(key, for: viewer, from: write.reader)
      try GroupJoinRequest.delete(request.person, to: request.group, in: write)
      try GroupExclusion.insert(request.person, from: request.group, isRemoval: false, in: write)
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
    from reader: Reader
  ) throws -> (key: GlobalID, request: GroupJoinRequest.Found) {
    guard let key, let request = try GroupJoinRequest.find(key, byAdmin: viewer.member, from: reader) else {
      throw RejectedInput(field, code: .notFound, message: "No open request has this id.")
    }
    return (key, request)
  }
}
