import GraphQL
import Storage

/// `familyChanged`.
enum FamilyChanged {
  /// How many are read at once for somebody who was away.
  private static let maximumAtOnce: Int64 = 32

  static let field = FieldBinding.load(needs: []) { batch, any in
    let context = request(any)
    guard let event: FamilyEvent = batch.view(0, context).value() else { return }
    guard let type = try context.types[kind(of: event, context)] else { return }
    batch.add(0, value: event, of: type)
  }

  /// An item that is removed is gone: whoever hears late that it changed is told what became of it.
  private static func kind(of event: FamilyEvent, _ context: RequestContext) throws -> FamilyEvent.Kind {
    guard event.kind == .itemChanged, let viewer = context.viewer else { return event.kind }
    return try ItemRow.exists(event.subject, in: viewer.family, context.reader) ? .itemChanged : .itemRemoved
  }

  /// Members of a family see the same of it, but not of each other.
  static let source: SourceBinding = { _, resume, any in
    let context = request(any)
    let viewer = try context.requireViewer()
    let after = try resume.map { try FeedPosition.read($0, context) } ?? FeedPosition.latest(context)
    try FeedPosition.requireKept(after, for: viewer, context)
    return SourceStream(
      FamilyEvent.topic(of: viewer.family),
      visibility: context.standpoint,
      after: after
    ) { position, any in
      let context = request(any)
      let after = position ?? after
      try FeedPosition.requireKept(after, for: viewer, context)
      let events = try FamilyEvent.kept(of: viewer.family, after: after, atMost: maximumAtOnce, context.reader)
      return SourceBacklog(events, reached: events.last?.position ?? after)
    }
  }
}
