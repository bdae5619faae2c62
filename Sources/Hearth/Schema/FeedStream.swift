import GraphQL

/// A subscription to stored events: those of the viewer's family, or of their account.
enum FeedStream {
  /// The page size of the backlog.
  private static let maximumAtOnce: Int64 = 32

  /// The field that shows an event with the current state of its subject.
  ///
  /// - Parameter kind: the kind as which an event is shown, because its subject can be gone at the delivery.
  static func field(
    shownAs kind: @escaping @Sendable (FeedEvent, RequestContext) throws -> FeedEvent.Kind
  ) -> FieldBinding {
    FieldBinding.load(needs: []) { batch, any in
      let context = request(any)
      guard let event: FeedEvent = batch.view(0, in: context).value() else { return }
      guard let type = try context.types[kind(event, context)] else { return }
      batch.add(0, value: event, of: type)
    }
  }

  /// - Parameter topic: the topic of the viewer's events, whose key is that of their log.
  static func source(of topic: @escaping @Sendable (Viewer) -> Topic) -> SourceBinding {
    { _, resume, any in
      let context = request(any)
      let viewer = try context.requireViewer()
      let topic = topic(viewer)
      let log = GlobalID(rawValue: topic.key)
      let after =
        try resume.map { try FeedPosition.read($0, for: viewer, in: context) }
        ?? FeedPosition.latest(for: viewer, in: context)
      try FeedPosition.requireKept(after, of: log, for: viewer, in: context)
      return SourceStream(
        topic,
        visibility: context.visibility,
        caller: viewer.session,
        after: after
      ) { position, any in
        let context = request(any)
        let after = position ?? after
        try FeedPosition.requireKept(after, of: log, for: viewer, in: context)
        let events = try FeedEvent.kept(in: log, after: after, atMost: maximumAtOnce, from: context.reader)
        return SourceBacklog(events, reached: events.last?.position ?? after)
      }
    }
  }
}
