/// A page of a list, as the value of a connection type: see ``GraphQLSchema/connection(_:of:cursor:)``.
public struct GraphQLConnection<Node: Sendable>: Sendable {
  /// The elements of the page, in the order of the list.
  public let nodes: [Node]

  /// Whether the list has elements after the page.
  public let hasNextPage: Bool

  /// Whether the list has elements before the page.
  public let hasPreviousPage: Bool

  /// Creates a page.
  public init(nodes: [Node], hasNextPage: Bool, hasPreviousPage: Bool) {
    self.nodes = nodes
    self.hasNextPage = hasNextPage
    self.hasPreviousPage = hasPreviousPage
  }

  /// Creates a page from loaded elements, of which one is left out if there are more than the page has.
  ///
  /// A page that begins after a cursor has a previous page, and one that ends before a cursor has a next page.
  ///
  /// - Parameters:
  ///   - loaded: Up to `page.limit` elements in the order of the list: the first ones after the cursor, or the last
  ///     ones before it if the page is backward.
  ///   - page: The page that the client requests.
  public init(_ loaded: some Sequence<Node>, page: GraphQLPage) {
    let loaded = Array(loaded)
    let (isLonger, hasCursor) = (loaded.count > page.size, page.cursor != nil)
    self.init(
      nodes: Array(page.isBackward ? loaded.suffix(page.size) : loaded.prefix(page.size)),
      hasNextPage: page.isBackward ? hasCursor : isLonger,
      hasPreviousPage: page.isBackward ? isLonger : hasCursor
    )
  }
}

/// An element of a page with its cursor.
struct ConnectionEdge<Node: Sendable>: Sendable {
  let node: Node
  let cursor: String
}

/// What a client needs to request the next page.
struct ConnectionPageInfo: Sendable {
  let hasNextPage: Bool
  let hasPreviousPage: Bool
  let startCursor: String?
  let endCursor: String?
}

extension GraphQLSchema {
  /// Resolves the fields of a connection type, as in the Relay cursor connections specification, whose values are
  /// pages.
  ///
  /// ```swift
  /// // type MessageConnection { nodes: [Message!]! edges: [MessageEdge!]! pageInfo: PageInfo! }
  /// // type MessageEdge { node: Message! cursor: String! }
  /// schema.connection("MessageConnection", of: Message.self, cursor: \.id)
  ///
  /// room.field("messages") { room, request in
  ///   let page = try request.arguments.page(maximum: 100)
  ///   return GraphQLConnection(try await request.context.database.messages(in: room.id, page), page: page)
  /// }
  /// ```
  ///
  /// The fields `nodes`, `edges` and `pageInfo` are resolved, those of the edges' type, `node` and `cursor`, and those
  /// of `PageInfo`: `hasNextPage`, `hasPreviousPage`, `startCursor` and `endCursor`. The schema can lack some of them.
  /// Further fields of the connection are added by `object(_:_:_:)` with `GraphQLConnection<Node>.self`.
  ///
  /// - Parameters:
  ///   - name: The name of the connection type, which ends with `Connection`; the type of its edges ends with `Edge`
  ///     instead.
  ///   - node: The Swift type of the elements.
  ///   - cursor: Returns what the list is ordered by: a cursor is its `description`.
  public mutating func connection<Node: Sendable, Cursor: CustomStringConvertible>(
    _ name: String,
    of node: Node.Type,
    cursor: @escaping @Sendable (Node) -> Cursor
  ) {
    object(name, GraphQLConnection<Node>.self) { connection in
      connection.resolvers.areOptional = true
      connection.field("nodes", \.nodes)
      connection.field("edges") { page, _ in
        page.nodes.map { ConnectionEdge(node: $0, cursor: cursor($0).description) }
      }
      connection.field("pageInfo") { page, _ in
        ConnectionPageInfo(
          hasNextPage: page.hasNextPage,
          hasPreviousPage: page.hasPreviousPage,
          startCursor: page.nodes.first.map { cursor($0).description },
          endCursor: page.nodes.last.map { cursor($0).description }
        )
      }
    }
    let edge = (name.hasSuffix("Connection") ? String(name.dropLast("Connection".count)) : name) + "Edge"
    // Several connections can share these types.
    if swiftTypes[edge]?.contains(where: { $0 == ConnectionEdge<Node>.self }) != true {
      object(edge, ConnectionEdge<Node>.self) { edge in
        edge.resolvers.areOptional = true
        edge.field("node", \.node)
        edge.field("cursor", \.cursor)
      }
    }
    guard swiftTypes["PageInfo"]?.contains(where: { $0 == ConnectionPageInfo.self }) != true else { return }
    object("PageInfo", ConnectionPageInfo.self) { info in
      info.resolvers.areOptional = true
      info.field("hasNextPage", \.hasNextPage)
      info.field("hasPreviousPage", \.hasPreviousPage)
      info.field("startCursor", \.startCursor)
      info.field("endCursor", \.endCursor)
    }
  }
}
