import TestSupport
import Testing

@testable import Hearth

@Suite("D10: groups")
struct D10GroupTests {
  @Test func `a group is made, and its maker is its admin`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let outcome = try await user.parent.perform(
        Documents.createGroup,
        [
          "input": [
            "name": "  Red Sox Nation ", "description": "A group for Red Sox fans", "hometown": "Boston",
            "sharing": ["SCHOOL", "WORK", "WORK"],
          ]
        ]
      )
      #expect(outcome.userErrors.isEmpty)
      let group = outcome["group"]
      let expected: Value = [
        "id": group["id"], "name": "Red Sox Nation", "description": "A group for Red Sox fans",
        "picture": ["placeholder": true], "hometown": "Boston", "sharing": ["WORK", "SCHOOL"],
        "viewerSharing": ["WORK", "SCHOOL"], "memberCount": 1,
        "viewerRole": "ADMIN", "access": "OPEN", "viewerJoinRequest": nil,
        "joinRequests": ["totalCount": 0, "nodes": []],
        "members": [
          "totalCount": 1,
          "nodes": [["person": ["name": "Kloudbook User"], "role": "ADMIN", "joinedAt": "2026-11-21T08:00:00Z"]],
        ],
      ]
      #expect(group == expected)
      #expect(try await user.group(group["id"].string ?? "") == expected)
      #expect(try await user.groups() == ["Red Sox Nation"])
    }
  }

  @Test func `a group has a picture until it is removed or the group is deleted`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let picture = SamplePicture.jpeg(width: 3, height: 2)
      let created = try await user.parent.perform(
        Documents.createGroup,
        ["name": "Red Sox Nation"],
        files: ["picture": picture]
      )
      #expect(created["group.picture.placeholder"] == false, "\(created)")
      let id = created["group.id"]
      let same = try await user.parent.perform(Documents.updateGroup, ["input": ["id": id, "name": "Sox"]])
      #expect(same["group.picture.placeholder"] == false)
      let removed = try await user.parent.perform(Documents.updateGroup, ["input": ["id": id, "picture": nil]])
      #expect(removed["group.picture.placeholder"] == true)
    }
  }

  @Test func `all errors of a group are reported at once`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let long: Value = .string(String(repeating: "x", count: 2_001))
      let wrong: Value = ["name": " ", "description": long, "hometown": "A\u{7}"]
      let created = try await user.parent.perform(Documents.createGroup, ["input": wrong])
      let errors = ["input.description TOO_LONG", "input.hometown INVALID", "input.name BLANK"]
      #expect(created.userErrors == errors)
      #expect(created["group"] == .null)
      #expect(try await user.groups() == [])
      let id = try await user.createGroup("Red Sox Nation", description: "A group for Red Sox fans")
      let before = try await user.group(id)
      let updated = try await user.parent.perform(
        Documents.updateGroup,
        ["input": wrong.setting("id", .string(id))]
      )
      #expect(updated.userErrors == errors)
      let missing = try await user.parent.perform(
        Documents.updateGroup,
        ["input": wrong.setting("id", .string(user.personID))]
      )
      #expect(missing.userErrors == (errors + ["input.id NOT_FOUND"]).sorted())
      #expect(try await user.group(id) == before)
    }
  }

  @Test func `an admin changes it, and absent fields stay unchanged`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let id = try await user.createGroup("Red Sox Nation", hometown: "Boston", sharing: ["WORK"])
      let changed = try await user.parent.perform(
        Documents.updateGroup,
        ["input": ["id": .string(id), "description": "This group is for Red Sox Fans Everywhereee"]]
      )["group"]
      #expect(changed["description"] == "This group is for Red Sox Fans Everywhereee")
      #expect(changed["name"] == "Red Sox Nation")
      #expect(changed["hometown"] == "Boston")
      #expect(changed["sharing"] == ["WORK"])
      let cleared = try await user.parent.perform(
        Documents.updateGroup,
        ["input": ["id": .string(id), "name": "Sox", "description": nil, "hometown": nil, "sharing": nil]]
      )["group"]
      #expect(cleared["name"] == "Sox")
      #expect(cleared["description"] == .null)
      #expect(cleared["hometown"] == .null)
      #expect(cleared["sharing"] == [])
      #expect(try await user.groups() == ["Sox"])
    }
  }

  @Test func `the caller's groups are sorted by name, in pages`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let other = try await Household("Browning Duncan", on: server)
      for name in ["UMass Amherst", "red sox nation", "Ångström Club", "Red Sox Nation"] {
        _ = try await user.createGroup(name)
      }
      _ = try await other.createGroup("BirdWatchers United")
      let names = ["Ångström Club", "Red Sox Nation", "red sox nation", "UMass Amherst"]
      #expect(try await user.groups() == names)
      var found: [Value] = []
      var after: Value = nil
      repeat {
        let page = try await user.parent.ask(Documents.groups, ["first": 1, "after": after])["data.viewer.groups"]
        found += page["nodes"].each("name")
        #expect(page["totalCount"] == 4)
        #expect(page["pageInfo.hasPreviousPage"] == .boolean(after != nil))
        after = page["pageInfo.hasNextPage"] == true ? page["pageInfo.endCursor"] : nil
      } while after != nil
      #expect(found == names.map(Value.string))
      found = []
      var before: Value = nil
      repeat {
        let page = try await user.parent.ask(Documents.groups, ["last": 3, "before": before])["data.viewer.groups"]
        found = page["nodes"].each("name") + found
        #expect(page["pageInfo.hasNextPage"] == .boolean(before != nil))
        before = page["pageInfo.hasPreviousPage"] == true ? page["pageInfo.startCursor"] : nil
      } while before != nil
      #expect(found == names.map(Value.string))
    }
  }

  @Test func `invited people are notified, and are members once they join`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      let invited = try await user.invite([browning, user, browning], to: id)
      #expect(invited.userErrors.isEmpty)
      #expect(invited["group.memberCount"] == 1)
      #expect(try await user.invite([browning], to: id).userErrors.isEmpty)
      #expect(
        try await browning.news() == ["Kloudbook User invites you to the group Red Sox Nation."]
      )
      let news = try await browning.parent.ask(Documents.notifications)["data.viewer.notifications.nodes.0"]
      #expect(news["__typename"] == "GroupInvitationNotification")
      #expect(news["group.name"] == "Red Sox Nation")
      #expect(news["invitedBy.name"] == "Kloudbook User")
      let before = try await browning.group(id)
      #expect(before["viewerRole"] == "INVITED")
      #expect(before["memberCount"] == 1)
      #expect(before["members"] == ["totalCount": 0, "nodes": []])
      #expect(try await browning.groups() == [])
      server.clock.advance(seconds: 60)
      let joined = try await browning.join(id)["group"]
      #expect(joined["viewerRole"] == "MEMBER")
      #expect(joined["memberCount"] == 2)
      #expect(joined["members.nodes"].each("person.name") == ["Browning Duncan", "Kloudbook User"])
      #expect(joined["members.nodes"].each("joinedAt") == ["2026-11-21T08:01:00Z", "2026-11-21T08:00:00Z"])
      #expect(joined["members.nodes"].each("role") == ["MEMBER", "ADMIN"])
      server.clock.advance(seconds: 60)
      #expect(try await browning.join(id)["group"] == joined)
      #expect(try await browning.groups() == ["Red Sox Nation"])
    }
  }

  @Test func `an invitation is declined, or taken back`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      try await user.invite([browning], to: id)
      #expect(try await browning.leave(id)["removedId"] == .string(id))
      #expect(try await browning.group(id)["viewerRole"] == .null)
      try await user.invite([browning], to: id)
      #expect(try await browning.news().count == 2)
      #expect(try await user.removeMember(browning, from: id).userErrors.isEmpty)
      #expect(try await browning.group(id)["viewerRole"] == .null)
      #expect(try await user.group(id)["memberCount"] == 1)
    }
  }

  @Test func `all errors of an invitation are reported at once, and then nobody is invited`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let gone = try await Household("Emily Smith", on: server)
      _ = try await gone.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      let id = try await user.createGroup("Red Sox Nation")
      let people: Value = [.string(browning.personID), .string(gone.personID), "nonsense", .string(user.familyID)]
      let outcome = try await user.parent.perform(Documents.inviteToGroup, ["id": .string(id), "people": people])
      #expect(outcome.userErrors == ["personIds.1 NOT_FOUND", "personIds.2 NOT_FOUND", "personIds.3 NOT_FOUND"])
      #expect(try await browning.news() == [])
      #expect(try await browning.group(id)["viewerRole"] == .null)
      #expect(try await user.invite([], to: id).userErrors == ["personIds BLANK"])
      #expect(
        try await user.invite(Array(repeating: browning, count: 101), to: id).userErrors == ["personIds TOO_LONG"]
      )
      #expect(
        try await user.invite([gone], to: user.personID).userErrors == ["groupId NOT_FOUND", "personIds.0 NOT_FOUND"]
      )
    }
  }

  @Test func `anyone who finds a group can join it, and leave it`() async throws {
    try await TestServer.run { server in
      let browning = try await Household("Browning Duncan", on: server)
      let user = try await Household("Kloudbook User", on: server)
      let sox = try await browning.createGroup("Red Sox Nation")
      let umass = try await browning.createGroup("UMass Amherst")
      try await user.join(sox)
      try await user.join(umass)
      #expect(try await user.groups() == ["Red Sox Nation", "UMass Amherst"])
      let left = try await user.leave(umass)
      #expect(left["removedId"] == .string(umass))
      #expect(try await user.groups() == ["Red Sox Nation"])
      #expect(try await browning.group(umass)["memberCount"] == 1)
      #expect(try await user.leave(umass).userErrors == ["groupId NOT_ALLOWED"])
      #expect(try await user.leave("nonsense").userErrors == ["groupId NOT_FOUND"])
      #expect(try await user.join("nonsense").userErrors == ["groupId NOT_FOUND"])
    }
  }

  @Test func `if the last admin leaves, the longest-standing member becomes admin; with the last member it is deleted`()
    async throws
  {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let zoe = try await Household("Zoë Adams", on: server)
      let albert = try await Household("Albert Adams", on: server)
      let invited = try await Household("Emily Smith", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      for one in [zoe, albert] {
        server.clock.advance(seconds: 60)
        try await one.join(id)
      }
      try await user.invite([invited], to: id)
      #expect(try await user.setRole("ADMIN", of: albert, in: id).userErrors.isEmpty)
      try await user.leave(id)
      // Albert is still an admin, so Zoë is not.
      #expect(try await zoe.group(id)["viewerRole"] == "MEMBER")
      try await user.join(id)
      try await albert.leave(id)
      #expect(try await zoe.group(id)["viewerRole"] == "ADMIN")
      #expect(try await user.group(id)["viewerRole"] == "MEMBER")
      _ = try await zoe.parent.perform(Documents.deactivate, D11DeactivateTests.password)
      #expect(try await user.group(id)["viewerRole"] == "ADMIN")
      #expect(try await user.members(id) == ["Kloudbook User"])
      try await user.leave(id)
      for one in [user, invited] {
        #expect(try await one.group(id) == .null)
        #expect(try await one.search("Red Sox") == [])
      }
      #expect(try await invited.join(id).userErrors == ["groupId NOT_FOUND"])
      #expect(try await invited.news() == ["Kloudbook User invites you to a group."])
    }
  }

  @Test func `an admin removes members, and gives and takes roles`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let emily = try await Household("Emily Smith", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      try await browning.join(id)
      try await user.invite([emily], to: id)
      #expect(try await user.setRole("MEMBER", of: user, in: id).userErrors == ["role NOT_ALLOWED"])
      #expect(try await user.setRole("ADMIN", of: emily, in: id).userErrors == ["personId NOT_FOUND"])
      #expect(try await user.setRole("INVITED", of: browning, in: id).userErrors == ["role NOT_ALLOWED"])
      let promoted = try await user.setRole("ADMIN", of: browning, in: id)
      #expect(promoted["group.members.nodes"].each("role") == ["ADMIN", "ADMIN"])
      #expect(try await browning.setRole("MEMBER", of: user, in: id)["group.memberCount"] == 2)
      #expect(try await user.group(id)["viewerRole"] == "MEMBER")
      #expect(try await browning.removeMember(browning, from: id).userErrors == ["personId NOT_ALLOWED"])
      let removed = try await browning.removeMember(user, from: id)
      #expect(removed["group.members.nodes"].each("person.name") == ["Browning Duncan"])
      #expect(removed["group.memberCount"] == 1)
      #expect(try await user.groups() == [])
      #expect(try await browning.removeMember(user, from: id).userErrors == ["personId NOT_FOUND"])
    }
  }

  @Test func `an admin deletes it for all`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let id = try await user.createGroup("UMass Amherst")
      _ = try await user.createGroup("Red Sox Nation")
      try await browning.join(id)
      #expect(try await user.parent.perform(Documents.deleteGroup, ["id": .string(id)])["removedId"] == .string(id))
      #expect(try await user.groups() == ["Red Sox Nation"])
      #expect(try await browning.groups() == [])
      #expect(try await browning.group(id) == .null)
      #expect(try await browning.search("Amherst") == [])
      #expect(
        try await user.parent.perform(Documents.deleteGroup, ["id": .string(id)]).userErrors == ["id NOT_FOUND"]
      )
    }
  }

  @Test func `members are listed by name, and found by the start of any word of it`() async throws {
    try await TestServer.run { server in
      let john = try await Household("John Smith", on: server)
      let lisa = try await Household("Lisa Shoemaker", on: server)
      let user = try await Household("Kloudbook User", on: server)
      let id = try await john.createGroup("Red Sox Nation", description: "A group for Red Sox fans")
      try await lisa.join(id)
      try await user.join(id)
      #expect(try await user.members(id) == ["John Smith", "Kloudbook User", "Lisa Shoemaker"])
      let found = try await user.parent.ask(Documents.members, ["id": .string(id), "query": "s"])["data.node.members"]
      #expect(found["nodes"].each("person.name") == ["John Smith", "Lisa Shoemaker"])
      #expect(found["totalCount"] == 2)
      _ = try await lisa.parent.perform(Documents.updateAccount, ["input": ["name": "Abby Shoemaker"]])
      #expect(try await user.members(id) == ["Abby Shoemaker", "John Smith", "Kloudbook User"])
      let outsider = try await Household("Browning Duncan", on: server)
      let seen = try await outsider.group(id)
      #expect(seen["memberCount"] == 3)
      #expect(seen["viewerRole"] == .null)
      #expect(seen["members"] == ["totalCount": 0, "nodes": []])
      let filtered = try await outsider.parent.ask(Documents.members, ["id": .string(id), "query": "s"])
      #expect(filtered["data.node.members.totalCount"] == 0)
    }
  }

  @Test func `members see of each other what the group shares, also when they are not in contact`() async throws {
    try await TestServer.run { server in
      let browning = try await BrowningDuncan(on: server).household
      let user = try await Household("Kloudbook User", on: server)
      let id = try await browning.createGroup("UMass Amherst", sharing: ["WORK"])
      func shown() async throws -> [String] { BrowningDuncan.shown(try await user.sees(browning)) }
      #expect(try await shown() == [])
      try await browning.invite([user], to: id)
      #expect(try await shown() == [])
      try await user.join(id)
      #expect(try await shown() == BrowningDuncan.workDetails)
      #expect(try await user.sees(browning)["relation"] == "NONE")
      #expect(try await user.sees(browning)["dateOfBirth"] == .null)
      _ = try await browning.parent.perform(
        Documents.updateGroup,
        ["input": ["id": .string(id), "sharing": ["PERSONAL"]]]
      )
      #expect(try await shown() == BrowningDuncan.personalDetails)
      #expect(try await user.sees(browning)["dateOfBirth"] != .null)
      // One is enough: the scopes of a contact and of a group add up.
      try await browning.befriend(user, sharing: ["WORK"])
      #expect(try await shown() == BrowningDuncan.workDetails + BrowningDuncan.personalDetails)
      _ = try await browning.removeMember(user, from: id)
      #expect(try await shown() == BrowningDuncan.workDetails)
      try await user.join(id)
      _ = try await browning.parent.perform(Documents.deleteGroup, ["id": .string(id)])
      #expect(try await shown() == BrowningDuncan.workDetails)
    }
  }

  @Test func `members show what they agreed to, however much more an admin makes the group share`() async throws {
    try await TestServer.run { server in
      let admin = try await Household("Red Sox", on: server)
      let browning = try await BrowningDuncan(on: server).household
      let id = try await admin.createGroup("UMass Amherst", sharing: ["WORK"])
      func set(_ scopes: Value) async throws {
        let input: Value = ["id": .string(id), "sharing": scopes]
        #expect(try await admin.parent.perform(Documents.updateGroup, ["input": input])["group.sharing"] == scopes)
      }
      func shown() async throws -> [String] { BrowningDuncan.shown(try await admin.sees(browning)) }
      func agreed() async throws -> Value { try await browning.group(id)["viewerSharing"] }
      #expect(try await agreed() == [])
      try await admin.invite([browning], to: id)
      #expect(try await agreed() == [])
      try await browning.join(id)
      #expect(try await agreed() == ["WORK"])
      #expect(try await shown() == BrowningDuncan.workDetails)
      try await set(["WORK", "PERSONAL"])
      #expect(try await agreed() == ["WORK"])
      #expect(try await shown() == BrowningDuncan.workDetails)
      #expect(try await admin.sees(browning)["dateOfBirth"] == .null)
      // Changing it implies consent, and so does joining now.
      #expect(try await admin.group(id)["viewerSharing"] == ["WORK", "PERSONAL"])
      #expect(try await browning.sees(admin)["dateOfBirth"] != .null)
      // Others of what is less now, and who may be admins too, see that little.
      try await set([])
      #expect(try await agreed() == [])
      #expect(try await shown() == [])
      // A scope that is added again requires a new agreement.
      try await set(["WORK", "PERSONAL"])
      #expect(try await agreed() == [])
      #expect(try await shown() == [])
      // Joining again is consent to the current scopes, and does not create a second member.
      #expect(try await browning.join(id)["group.memberCount"] == 2)
      #expect(try await agreed() == ["WORK", "PERSONAL"])
      #expect(try await shown() == BrowningDuncan.workDetails + BrowningDuncan.personalDetails)
      try await browning.leave(id)
      #expect(try await shown() == [])
      #expect(try await agreed() == [])
    }
  }

  @Test func `many who join and leave at once are counted right`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      var people: [Household] = []
      for number in 0..<12 { people.append(try await Household("Person \(number)", on: server)) }
      try await withThrowingTaskGroup { tasks in
        for (number, person) in people.enumerated() {
          tasks.addTask {
            // The odd ones are left in it.
            for _ in 0..<(number.isMultiple(of: 2) ? 4 : 5) {
              _ = try await person.parent.another.perform(Documents.joinGroup, ["id": .string(id)])
              _ = try await person.parent.another.perform(Documents.joinGroup, ["id": .string(id)])
              _ = try await person.parent.another.perform(Documents.leaveGroup, ["id": .string(id)])
            }
            if !number.isMultiple(of: 2) { try await person.join(id) }
          }
        }
        try await tasks.waitForAll()
      }
      let group = try await user.group(id)
      #expect(group["memberCount"] == 7)
      #expect(group["members.nodes"].list.count == 7)
    }
  }

  @Test func `two admins who leave at once do not leave a group without one`() async throws {
    try await TestServer.run { server in
      let user = try await Household("Kloudbook User", on: server)
      let browning = try await Household("Browning Duncan", on: server)
      let emily = try await Household("Emily Smith", on: server)
      let id = try await user.createGroup("Red Sox Nation")
      try await browning.join(id)
      try await emily.join(id)
      _ = try await user.setRole("ADMIN", of: browning, in: id)
      async let one = user.leave(id)
      async let other = browning.leave(id)
      #expect(try await [one.userErrors, other.userErrors] == [[], []])
      #expect(try await emily.group(id)["viewerRole"] == "ADMIN")
      #expect(try await emily.members(id) == ["Emily Smith"])
    }
  }
}
