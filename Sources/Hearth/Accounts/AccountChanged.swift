import GraphQL
import Storage

/// `accountChanged`: the events of the viewer's own account, which only the viewer receives.
enum AccountChanged {
  static let field = FeedStream.field { event, context in try kind(of: event, in: context) }

  /// What the viewer does not have any more is reported as removed, whatever has happened to it in between.
  private static func kind(of event: FeedEvent, in context: RequestContext) throws -> FeedEvent.Kind {
    guard let member = context.member else { return event.kind }
    let (subject, reader) = (event.subject, context.reader)
    switch event.kind {
    case .contactChanged:
      let contact = (owner: member, contact: Optional(subject))
      return try reader.hasRow(RemoveContact.personOf, contact) ? .contactChanged : .contactRemoved
    case .contactRequestChanged:
      let request = (request: subject, person: member)
      let isOpen = try reader.hasRow(ContactRequest.isVisible, request)
      return isOpen ? .contactRequestChanged : .contactRequestRemoved
    case .groupChanged:
      return try PersonGroup.isListed(subject, by: member, from: reader) ? .groupChanged : .groupRemoved
    default: return event.kind
    }
  }

  static let source = FeedStream.source { viewer in FeedEvent.topic(ofAccount: viewer.member, in: viewer.family) }
}
