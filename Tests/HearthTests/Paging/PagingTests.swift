import Testing

@testable import Hearth

/// A list of the API that comes in pages.
struct PagedList: Sendable, CustomStringConvertible {
  let name: String
  /// The path from the root of the response to the connection.
  let path: String
  /// A document with `$first`, `$after`, `$last` and `$before`, around a selection of the connection.
  let document: @Sendable (_ selection: String) -> String

  var description: String { name }

  private static let query = "query ($first: Int, $after: String, $last: Int, $before: String)"
  private static let arguments = "(first: $first, after: $after, last: $last, before: $before)"

  private static func family(_ name: String, _ field: String) -> PagedList {
    PagedList(name: name, path: "data.family.\(field)") { selection in
      "\(query) { family { \(field)\(arguments) { \(selection) } } }"
    }
  }

  private static func child(_ field: String) -> PagedList {
    PagedList(name: "Child.\(field)", path: "data.family.children.0.\(field)") { selection in
      "\(query) { family { children { \(field)\(arguments) { \(selection) } } } }"
    }
  }

  static let chores = family("Family.chores", "chores")
  static let assignedChores = child("assignedChores")
  static let finishedChores = child("finishedChores")
  static let contracts = child("contracts")
  static let items = family("Family.items", "items")
  static let reminders = family("Family.reminders", "reminders")
  static let all = [chores, assignedChores, finishedChores, contracts, items, reminders]

  func ask(_ client: Client, _ selection: String, first: Value = nil, after: Value = nil) async throws -> Value {
    var variables: Value = [:]
    if first != .null { variables = variables.setting("first", first) }
    if after != .null { variables = variables.setting("after", after) }
    return try await client.ask(document(selection), variables)
  }

  func page(_ client: Client, first: Int, after: Value = nil) async throws -> Value {
    try await ask(client, Self.selection, first: .number(Double(first)), after: after)[path]
  }

  func page(_ client: Client, last: Int, before: Value = nil) async throws -> Value {
    var variables: Value = ["last": .number(Double(last))]
    if before != .null { variables = variables.setting("before", before) }
    return try await client.ask(document(Self.selection), variables)[path]
  }

  private static let selection = """
    edges { cursor node { id } } nodes { id } totalCount
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    """
}

@Suite("Pages of lists")
struct PagingTests {
  /// A family with one child, 7 chores, 7 finished chores, contracts, items and reminders.
  private func household(_ server: TestServer) async throws -> (Household, child: String) {
    let ada = try await Household(on: server)
    let mia = try await ada.addChild("Mia")
    for number in 1...7 {
      let chore = try await ada.addChore("Chore \(number)", for: [mia])
      _ = try await ada.makeContract(with: mia)
      _ = try await ada.assign([(chore, 1)], to: mia)
      _ = try await ada.addItem("Item \(number)")
      _ = try await ada.setReminder(of: chore, at: "2026-12-0\(number % 4 + 1)T00:00:00Z")
      // Chores with points are done: the list of open chores needs others.
      _ = try await ada.addChore("Chore \(number), once more", for: [mia])
    }
    return (ada, mia)
  }

  @Test func `paging shows each object once, in the order of the list`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      await checkEach(PagedList.all) { list in
        let whole = try await list.page(ada.parent, first: 100)
        let all = whole["nodes"].each("id")
        #expect(all.count == (list.name == "Family.chores" ? 14 : 7), "\(list)")
        #expect(Set(all).count == all.count, "\(list)")
        for size in [1, 3, 7, 14] {
          var seen: [Value] = []
          var after: Value = nil
          var pages = 0
          while true {
            let page = try await list.page(ada.parent, first: size, after: after)
            #expect(page["totalCount"].int == all.count, "\(list)")
            #expect(page["edges"].each("node") == page["nodes"].list, "\(list)")
            #expect(page["pageInfo.startCursor"] == page["edges.0.cursor"], "\(list)")
            #expect(page["pageInfo.endCursor"] == page["edges"].list.last?["cursor"], "\(list)")
            #expect(page["pageInfo.hasPreviousPage"] == .boolean(pages > 0), "\(list)")
            seen += page["nodes"].each("id")
            pages += 1
            after = page["pageInfo.endCursor"]
            #expect(page["pageInfo.hasNextPage"] == .boolean(seen.count < all.count), "\(list)")
            guard page["pageInfo.hasNextPage"] == true, pages < 20 else { break }
          }
          #expect(seen == all, "\(list)")
          #expect(pages == (all.count + size - 1) / size, "\(list)")
          let beyond = try await list.page(ada.parent, first: size, after: after)
          #expect(beyond["nodes"] == [], "\(list)")
          #expect(
            beyond["pageInfo"]
              == ["hasNextPage": false, "hasPreviousPage": true, "startCursor": nil, "endCursor": nil],
            "\(list)"
          )
        }
      }
    }
  }

  @Test func `paging backward shows each object once, in the order of the list`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      await checkEach(PagedList.all) { list in
        let whole = try await list.page(ada.parent, first: 100)
        let all = whole["nodes"].each("id")
        let backward = try await list.page(ada.parent, last: 100)
        for part in ["nodes", "edges", "totalCount", "pageInfo"] {
          #expect(backward[part] == whole[part], "\(list): \(part)")
        }
        for size in [1, 3, 7, 14] {
          var seen: [Value] = []
          var before: Value = nil
          repeat {
            let page = try await list.page(ada.parent, last: size, before: before)
            #expect(page["totalCount"].int == all.count, "\(list)")
            #expect(page["edges"].each("node") == page["nodes"].list, "\(list)")
            #expect(page["pageInfo.startCursor"] == page["edges.0.cursor"], "\(list)")
            #expect(page["pageInfo.endCursor"] == page["edges"].list.last?["cursor"], "\(list)")
            #expect(page["pageInfo.hasNextPage"] == .boolean(!seen.isEmpty), "\(list)")
            #expect(!page["nodes"].list.isEmpty, "\(list)")
            seen = page["nodes"].each("id") + seen
            before = page["pageInfo.startCursor"]
            #expect(page["pageInfo.hasPreviousPage"] == .boolean(seen.count < all.count), "\(list)")
            if page["pageInfo.hasPreviousPage"] != true { break }
          } while seen.count <= all.count
          #expect(seen == all, "\(list)")
          let beyond = try await list.page(ada.parent, last: size, before: before)
          #expect(beyond["nodes"] == [], "\(list)")
          #expect(
            beyond["pageInfo"]
              == ["hasNextPage": true, "hasPreviousPage": false, "startCursor": nil, "endCursor": nil],
            "\(list)"
          )
        }
        // The cursors of both directions are the same.
        let middle = try await list.page(ada.parent, first: 2, after: whole["edges.1.cursor"])
        let back = try await list.page(ada.parent, last: 2, before: middle["pageInfo.startCursor"])
        #expect(back["nodes"].each("id") == Array(all[0..<2]), "\(list)")
      }
    }
  }

  @Test func `an empty list, and pages of no objects`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let none: Value = ["hasNextPage": false, "hasPreviousPage": false, "startCursor": nil, "endCursor": nil]
      #expect(try await PagedList.items.page(ada.parent, last: 10)["pageInfo"] == none)
      _ = try await ada.addItem()
      let page = try await PagedList.items.page(ada.parent, last: 0)
      #expect(page["nodes"] == [])
      #expect(page["pageInfo"] == none.setting("hasPreviousPage", true))
    }
  }

  @Test func `first and after read forward, last and before backward, and nothing else goes together`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      await checkEach(PagedList.all) { list in
        let cursor = try await list.page(ada.parent, first: 1)["edges.0.cursor"]
        let mixed = "`last` can only be combined with `before`, and `after` with `first`."
        let errors: [(Value, Value, Value)] = [
          (["before": cursor], "BAD_USER_INPUT", "`before` requires `last`."),
          (["before": cursor, "after": cursor], "BAD_USER_INPUT", "`before` requires `last`."),
          (["first": 1, "before": cursor], "BAD_USER_INPUT", "`before` requires `last`."),
          (["last": 1, "after": cursor], "BAD_USER_INPUT", .string(mixed)),
          (["last": 1, "after": cursor, "before": cursor], "BAD_USER_INPUT", .string(mixed)),
          (["last": 101], "BAD_USER_INPUT", "`last` is 101, but must be from 0 to 100."),
          (["last": -1], "BAD_USER_INPUT", "`last` is -1, but must be from 0 to 100."),
          (["last": 1, "before": "nonsense"], "BAD_USER_INPUT", "`before` is not a cursor of this list."),
        ]
        for (variables, code, message) in errors {
          let answer = try await ada.parent.ask(list.document("nodes { id }"), variables)
          #expect(answer["errors"].each("extensions.code") == [code], "\(list): \(variables)")
          #expect(answer["errors.0.message"] == message, "\(list): \(variables)")
        }
        let field = list.path.split(separator: ".").last ?? ""
        let both = try await ada.parent.post(list.document("nodes { id }"), ["first": 1, "last": 1])
        #expect(both.codes == ["ONE_SLICING_ARGUMENT_REQUIRED"], "\(list)")
        #expect(
          both.json["errors.0.message"]
            == .string(
              #"Field "\#(field)" requires exactly one of the arguments "first", "last" to limit the size of its list, "#
                + "but 2 were provided."
            ),
          "\(list)"
        )
        // Null counts as absent.
        let nulls: Value = ["first": nil, "after": nil, "last": 2, "before": nil]
        let page = try await ada.parent.ask(list.document("nodes { id }"), nulls)
        #expect(page["errors"] == .null, "\(list)")
        #expect(page[list.path]["nodes"].list.count == 2, "\(list)")
      }
    }
  }

  @Test func `first is from 0 to 100`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      await checkEach(PagedList.all) { list in
        let total = list.name == "Family.chores" ? 14 : 7
        let none = try await list.page(ada.parent, first: 0)
        #expect(
          none == [
            "edges": [], "nodes": [], "totalCount": .number(Double(total)),
            "pageInfo": ["hasNextPage": true, "hasPreviousPage": false, "startCursor": nil, "endCursor": nil],
          ],
          "\(list)"
        )
        #expect(try await list.page(ada.parent, first: 1)["nodes"].list.count == 1, "\(list)")
        #expect(try await list.page(ada.parent, first: 100)["nodes"].list.count == total, "\(list)")
        // Much larger sizes are rejected for their cost, before execution: see after the loop.
        for first in [101, 10_000, -1, -2_147_483_648] {
          for selection in ["nodes { id }", "totalCount", "pageInfo { hasNextPage }", "__typename"] {
            let answer = try await list.ask(ada.parent, selection, first: .number(Double(first)))
            let codes = answer["errors"].each("extensions.code")
            #expect(codes == ["BAD_USER_INPUT"], "\(list): \(first) \(selection)")
            #expect(
              answer["errors.0.message"] == .string("`first` is \(first), but must be from 0 to 100."),
              "\(list): \(selection)"
            )
          }
        }
        let costly = try await ada.parent.post(list.document("nodes { id }"), ["first": 2_147_483_647])
        #expect(costly.status == 422 && costly.codes == ["COST_EXCEEDED"], "\(list)")
      }
    }
  }

  @Test func `an invalid cursor of the list is reported as such`() async throws {
    try await TestServer.run { server in
      let (ada, mia) = try await household(server)
      await checkEach(PagedList.all) { list in
        let good = try #require(try await list.page(ada.parent, first: 1)["edges.0.cursor"].string)
        let other = list.path.contains("hores") && !list.path.contains("finished") ? PagedList.contracts : .chores
        let foreign = try #require(try await other.page(ada.parent, first: 1)["edges.0.cursor"].string)
        for bad in [
          "", "nonsense", good + "!", "x" + good, good + "~1", good.uppercased() + "~", mia + "~", "~", foreign,
          String(repeating: "~", count: 10_000), "\u{0}", "0000000000000~0~0~0",
        ] {
          for selection in ["nodes { id }", "pageInfo { endCursor }", "edges { cursor }", "totalCount", "__typename"] {
            let answer = try await list.ask(ada.parent, selection, after: .string(bad))
            let codes = answer["errors"].each("extensions.code")
            #expect(codes == ["BAD_USER_INPUT"], "\(list): \(bad.prefix(40)) \(selection)")
            #expect(answer["errors.0.message"] == "`after` is not a cursor of this list.", "\(list)")
          }
        }
        // A null is neither a cursor nor a page size.
        let whole = try await ada.parent.ask(list.document("nodes { id }"), ["after": nil])
        let same = try await ada.parent.ask(list.document("nodes { id }"), ["after": nil, "first": nil])
        #expect(same == whole, "\(list)")
      }
    }
  }

  @Test func `a cursor of another family shows nothing of it, and nothing is lost`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      let other = try await Household(on: server, email: "other@example.com")
      let theirs = try await other.addChild("Ben")
      let chore = try await other.addChore("Theirs", for: [theirs])
      _ = try await other.makeContract(with: theirs)
      _ = try await other.assign([(chore, 1)], to: theirs)
      _ = try await other.addChore("Theirs too", for: [theirs])
      _ = try await other.addItem()
      _ = try await other.setReminder(of: chore, at: "2026-11-30T00:00:00Z")
      let known = Set(try await ada.everything().text.split(separator: "\"").map(String.init))
      for list in PagedList.all {
        let cursor = try await list.page(other.parent, first: 1)["edges.0.cursor"]
        #expect(cursor != .null)
        let page = try await list.page(ada.parent, first: 100, after: cursor)
        for id in page["nodes"].each("id") { #expect(known.contains(id.string ?? "")) }
      }
    }
  }

  @Test(arguments: PagedList.all)
  func `objects added in the meantime do not shift the pages`(list: PagedList) async throws {
    try await TestServer.run { server in
      let (ada, mia) = try await household(server)
      let all = try await list.page(ada.parent, first: 100)["nodes"].each("id")
      let first = try await list.page(ada.parent, first: 3)
      // The most urgent, and the newest of everything: all before the cursor.
      let chore = try await ada.addChore("Urgent", priority: 10, for: [mia])
      _ = try await ada.makeContract(with: mia)
      _ = try await ada.assign([(chore, 1)], to: mia)
      _ = try await ada.addChore("More urgent", priority: 10, for: [mia])
      _ = try await ada.addItem()
      _ = try await ada.setReminder(of: chore, at: "2026-11-30T00:00:00Z")
      let rest = try await list.page(ada.parent, first: 100, after: first["pageInfo.endCursor"])
      #expect(first["nodes"].each("id") + rest["nodes"].each("id") == all)
      #expect(try await list.page(ada.parent, first: 100)["nodes"].list.count > all.count)
    }
  }

  @Test func `more than a page of 100 is found whole`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      var added: Set<Value> = []
      for number in 0..<205 { added.insert(.string(try await ada.addChore("Chore \(number)", for: [mia]))) }
      for list in [PagedList.chores, .assignedChores] {
        var seen: [Value] = []
        var after: Value = nil
        for size in [100, 100, 5] {
          let page = try await list.page(ada.parent, first: 100, after: after)
          #expect(page["nodes"].list.count == size)
          #expect(page["pageInfo.hasNextPage"] == .boolean(size == 100))
          seen += page["nodes"].each("id")
          after = page["pageInfo.endCursor"]
        }
        #expect(Set(seen) == added)
      }
      let byDefault = try await ada.parent.ask("{ family { chores { nodes { id } } } }")
      #expect(byDefault["data.family.chores.nodes"].list.count == 50)
    }
  }

  @Test func `a field error in one of many pages does not affect the others`() async throws {
    try await TestServer.run { server in
      let (ada, _) = try await household(server)
      let answer = try await ada.parent.ask(
        "{ family { good: chores(first: 1) { totalCount } child(id: \"x\") { bad: contracts(first: 101) { totalCount } } } }"
      )
      #expect(answer == ["data": ["family": ["good": ["totalCount": 14], "child": nil]]])
    }
  }
}
