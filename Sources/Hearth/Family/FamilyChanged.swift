import GraphQL
import Storage

/// `familyChanged`.
enum FamilyChanged {
  static let field = FeedStream.field { event, context in try kind(of: event, in: context) }

  /// The row of a removed item is deleted, so a late delivery of its change is reported as its removal.
  private static func kind(of event: FeedEvent, in context: RequestContext) throws -> FeedEvent.Kind {
    guard event.kind == .itemChanged, let viewer = context.viewer else { return event.kind }
    return try Item.exists(event.subject, of: viewer.family, from: context.reader) ? .itemChanged : .itemRemoved
  }

  /// The events are the same for all members of a family, but the fields selected from them depend on the viewer.
  static let source = FeedStream.source { viewer in FeedEvent.topic(of: viewer.family) }
}
