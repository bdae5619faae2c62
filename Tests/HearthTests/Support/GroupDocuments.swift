import Testing

extension Documents {
  static let group = """
    id name description picture { placeholder } hometown sharing viewerSharing memberCount viewerRole access
    viewerJoinRequest { id person { name } requestedAt }
    joinRequests(first: 100) { totalCount nodes { id person { id name } } }
    members(first: 100) { totalCount nodes { person { name } role joinedAt } }
    """
  static let createGroup = """
    mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { \(group) } \(errors) } }
    """
  static let updateGroup = """
    mutation ($input: UpdateGroupInput!) { updateGroup(input: $input) { group { \(group) } \(errors) } }
    """
  static let deleteGroup = "mutation ($id: ID!) { deleteGroup(id: $id) { removedId \(errors) } }"
  static let inviteToGroup = """
    mutation ($id: ID!, $people: [ID!]!) { inviteToGroup(groupId: $id, personIds: $people) {
      group { \(group) } \(errors) } }
    """
  static let joinGroup = "mutation ($id: ID!) { joinGroup(groupId: $id) { group { \(group) } \(errors) } }"
  static let leaveGroup = "mutation ($id: ID!) { leaveGroup(groupId: $id) { removedId \(errors) } }"
  static let removeGroupMember = """
    mutation ($id: ID!, $person: ID!) { removeGroupMember(groupId: $id, personId: $person) {
      group { \(group) } \(errors) } }
    """
  static let acceptJoinRequest = """
    mutation ($id: ID!) { acceptGroupJoinRequest(input: { requestId: $id }) { group { \(group) } \(errors) } }
    """
  static let rejectJoinRequest = """
    mutation ($id: ID!) { rejectGroupJoinRequest(input: { requestId: $id }) { removedId \(errors) } }
    """
  static let setGroupRole = """
    mutation ($id: ID!, $person: ID!, $role: GroupRole!) { setGroupRole(groupId: $id, personId: $person, role: $role) {
      group { \(group) } \(errors) } }
    """
  static let groupByID = "query ($id: ID!) { node(id: $id) { ... on Group { \(group) } } }"
  static let groups = """
    query ($standing: GroupStanding, $first: Int, $after: String, $last: Int, $before: String) {
      viewer { ... on Account {
      groups(standing: $standing, first: $first, after: $after, last: $last, before: $before) {
      totalCount nodes { name viewerRole } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }
    """
  static let members = """
    query ($id: ID!, $query: String, $first: Int = 50, $after: String) { node(id: $id) { ... on Group {
      memberCount members(query: $query, first: $first, after: $after) {
        totalCount nodes { person { name } } edges { cursor node { role } }
        pageInfo { hasNextPage hasPreviousPage endCursor } } } } }
    """
  static let search = """
    query (
      $query: String!, $kinds: [SearchKind!], $filter: SearchFilter, $first: Int, $after: String, $last: Int,
      $before: String
    ) {
      search(
        query: $query, kinds: $kinds, filter: $filter, first: $first, after: $after, last: $last, before: $before
      ) {
        totalCount nodes { __typename ... on Person { name } ... on Group { name } }
        edges { cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }
    """
}

/// Actions of people with groups.
extension Household {
  func createGroup(
    _ name: String,
    description: String? = nil,
    hometown: String? = nil,
    sharing scopes: [String] = [],
    access: String = "OPEN"
  ) async throws -> String {
    let input: Value = [
      "name": .string(name), "description": description.map(Value.string) ?? nil,
      "hometown": hometown.map(Value.string) ?? nil, "sharing": Value(scopes), "access": .string(access),
    ]
    let outcome = try await parent.perform(Documents.createGroup, ["input": input])
    return try #require(outcome["group.id"].string, "\(outcome)")
  }

  @discardableResult
  func join(_ group: String) async throws -> Outcome {
    try await parent.perform(Documents.joinGroup, ["id": .string(group)])
  }

  @discardableResult
  func leave(_ group: String) async throws -> Outcome {
    try await parent.perform(Documents.leaveGroup, ["id": .string(group)])
  }

  @discardableResult
  func invite(_ others: [Household], to group: String) async throws -> Outcome {
    let people = Value(others.map(\.personID))
    return try await parent.perform(Documents.inviteToGroup, ["id": .string(group), "people": people])
  }

  /// Requests to join a group; returns the request's id.
  func askToJoin(_ group: String) async throws -> String {
    let outcome = try await join(group)
    return try #require(outcome["group.viewerJoinRequest.id"].string, "\(outcome)")
  }

  @discardableResult
  func answer(_ request: String, _ document: String) async throws -> Outcome {
    try await parent.perform(document, ["id": .string(request)])
  }

  @discardableResult
  func setAccess(_ access: String, of group: String) async throws -> Outcome {
    try await parent.perform(Documents.updateGroup, ["input": ["id": .string(group), "access": .string(access)]])
  }

  func setRole(_ role: String, of other: Household, in group: String) async throws -> Outcome {
    try await parent.perform(
      Documents.setGroupRole,
      ["id": .string(group), "person": .string(other.personID), "role": .string(role)]
    )
  }

  func removeMember(_ other: Household, from group: String) async throws -> Outcome {
    try await parent.perform(
      Documents.removeGroupMember,
      ["id": .string(group), "person": .string(other.personID)]
    )
  }

  /// A group as this one sees it.
  func group(_ id: String) async throws -> Value {
    try await parent.ask(Documents.groupByID, ["id": .string(id)])["data.node"]
  }

  func members(_ group: String) async throws -> [String] {
    let group = try await self.group(group)
    let names = group["members.nodes"].each("person.name").compactMap(\.string)
    #expect(group["members.totalCount"].int == names.count)
    return names
  }

  /// The names of one's groups, in their order.
  /// - Parameter standing: a `GroupStanding`.
  func groups(_ standing: String = "MEMBER") async throws -> [String] {
    let list = try await parent.ask(Documents.groups, ["standing": .string(standing)])["data.viewer.groups"]
    #expect(list["totalCount"].int == list["nodes"].list.count)
    return list["nodes"].each("name").compactMap(\.string)
  }

  /// The names of what a search finds, in its order.
  func search(_ query: String, _ kinds: [String]? = nil, filter: Value = nil) async throws -> [String] {
    let variables: Value = ["query": .string(query), "kinds": kinds.map { Value($0) } ?? nil, "filter": filter]
    let answer = try await parent.ask(Documents.search, variables)
    let names = answer["data.search.nodes"].each("name").compactMap(\.string)
    #expect(answer["data.search.totalCount"].int == names.count, "\(answer)")
    return names
  }
}
