import GraphQL
import Storage

/// Open requests that the viewer has received or sent, newest first.
enum ContactRequestPages {
  static let order = ListOrder(values: 0, kind: .contactRequest)

  static let incoming = KeysetList<GlobalID>(
    "contact_request",
    index: "contact_request_incoming",
    where: "to_id = \(\.self)",
    order: .newestFirst
  )
  static let outgoing = KeysetList<GlobalID>(
    "contact_request",
    index: "contact_request_outgoing",
    where: "from_id = \(\.self)",
    order: .newestFirst
  )

  static func page(_ pageQuery: PageQuery, in context: RequestContext) throws -> Page {
    guard let viewer = context.member else { return Page() }
    let list = pageQuery.arguments["direction"]?.string == "OUTGOING" ? outgoing : incoming
    return try list.page(viewer, pageQuery: pageQuery, in: context)
  }
}
