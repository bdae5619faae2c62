import GraphQL
import Storage

/// `familyChanged`.
enum FamilyChanged {
  /// The page size of the backlog.
  private static let maximumAtOnce: Int64 = 32

  static let field = FieldBinding.load(needs: []) { batch, any in
    let context = request(any)
    guard let event: FamilyEvent = batch.view(0, in: context).value() else { return }
    guard let type = try context.types[kind(of: event, in: context)] else { return }
    batch.add(0, value: event, of: type)
  }

  /// The row of a removed item is deleted, so a late delivery of its change is reported as its removal.
  private static func kind(of event: FamilyEvent, in context: RequestContext) throws -> FamilyEvent.Kind {
    guard event.kind == .itemChanged, let viewer = context.viewer else { return event.kind }
    return try ItemRow.exists(event.subject, of: viewer.family, from: context.reader) ? .itemChanged : .itemRemoved
  }

  /// The events are the same for all members of a family, but the fields selected from them depend on the viewer.
  static let source: SourceBinding = { _, resume, any in
    let context = request(any)
    let viewer = try context.requireViewer()
    let after =
      try resume.map { try FeedPosition.read($0, for: viewer, in: context) }
      ?? FeedPosition.latest(for: viewer, in: context)
    try FeedPosition.requireKept(after, for: viewer, in: context)
    return SourceStream(
      FamilyEvent.topic(of: viewer.family),
      visibility: context.visibility,
      caller: viewer.session,
      after: after
    ) { position, any in
      let context = request(any)
      let after = position ?? after
      try FeedPosition.requireKept(after, for: viewer, in: context)
      let events = try FamilyEvent.kept(of: viewer.family, after: after, atMost: maximumAtOnce, from: context.reader)
      return SourceBacklog(events, reached: events.last?.position ?? after)
    }
  }
}
