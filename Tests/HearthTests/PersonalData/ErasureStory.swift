import Foundation
import TestSupport
import Testing

@testable import Hearth

/// A family with two parents. One of them, Xanthippe, has left traces wherever a person can.
struct ErasureStory {
  let stayer: Household
  let leaver: Household

  /// What her texts contain, and nobody else's.
  static let words = ["xanthippe", "anthippe", "zwiebel"]

  /// Where her words and keys are before.
  static var locations: Set<String> {
    TestDatabase.configured == .postgresql ? common : common.union(["search_index_data.block", "file hearth.db"])
  }

  private static let common: Set = [
    "account.email", "account.email_key", "account.id", "person.name", "person.first_name",
    "person.last_name", "person.hometown", "person.name_key", "person.id", "contact_info.value",
    "contact_info.person_id",
    "contact_info.label", "contact.owner_id", "contact.person_id", "contact.name_key",
    "contact_request.from_id", "contact_request.message", "contact_request.to_id", "contact_rejection.from_id",
    "group_member.person_id", "group_member.invited_by",
    "group_member.name_key", "group_join_request.person_id", "group_exclusion.person_id", "notification.recipient_id",
    "notification.actor_id", "notification.subject_id", "search_entry.id", "search_entry.words",
    "session.member_id", "session.opened_by", "session.device", "mail.person_id",
    "mail.address", "one_time_token.subject_id", "family_invitation.invited_by",
    "family_invitation.email", "idempotent_write.person_id", "idempotent_write.outcome", "chore.created_by",
    "chore.finished_by", "chore.assignees", "assignment.member_id", "item.created_by", "person_group.created_by",
    "family_event.family_id", "family_event.subject_id", "family_feed.family_id", "device.member_id", "device.address",
    "device.name", "push.recipient_id",
    "notification_setting.member_id",
  ]

  init(on server: TestServer) async throws {
    stayer = try await Household(on: server)
    let founder = try await Household(on: server, email: "xanthippe@zwiebel.example", name: "Xanthippe Zwiebelturm")
    try await stayer.admit(founder, on: server)
    let input: Value = ["device": "Xanthippe's phone"]
    let credentials = A02SignInTests.input(founder.email, Household.password)["input"]
    let signedIn = try await server.visitor.perform(
      Documents.signIn,
      ["input": credentials.setting("device", input["device"])]
    )
    let token = try #require(signedIn["credentials.accessToken"].string, "\(signedIn)")
    leaver = Household(founder, parent: server.visitor.with(token: token))
    try await profile()
    try await device()
    try await contacts(server)
    try await groups(server)
    try await history(server)
  }

  /// A device that nothing reaches, so that what is sent to it waits.
  private func device() async throws {
    let address = D15DeviceTests.subscription("of-xanthippe")
    let registered = try await leaver.parent.register(address, name: "Zwiebel phone")
    try #require(registered.userErrors == [], "\(registered)")
    let settings: Value = ["quietHours": ["from": "22:00", "until": "07:30"]]
    _ = try await leaver.parent.perform(Documents.updateNotificationSettings, ["input": settings])
  }

  private func profile() async throws {
    _ = try await leaver.parent.perform(
      Documents.updateAccount,
      ["phone": "+1 617 555 0123 ext 4"],
      files: ["avatar": SamplePicture.png(width: 7)]
    )
    let profile: Value = ["hometown": "Zwiebelstadt", "highSchools": ["Zwiebel High"], "company": "Zwiebel Ltd"]
    _ = try await leaver.parent.perform(Documents.updateProfile, ["input": profile])
    try await leaver.addInfo("WORK", ["email": "work@zwiebel.example"], label: "Zwiebel work")
    try await leaver.addInfo("PERSONAL", ["phone": ["number": "+1 617 555 0199"]])
  }

  private func contacts(_ server: TestServer) async throws {
    let friend = try await Household("Friend One", on: server)
    try await leaver.befriend(friend, sharing: ["WORK"])
    let other = try await Household("Friend Two", on: server)
    let message: Value = ["personId": .string(other.personID), "message": "Xanthippe here", "sharing": ["WORK"]]
    let request = "mutation ($input: RequestContactInput) { requestContact(input: $input) { contactRequest { id } } }"
    _ = try await leaver.parent.perform(request, ["input": message])
    let third = try await Household("Friend Three", on: server)
    let rejected = try await leaver.request(third)
    _ = try await third.parent.perform(
      "mutation ($id: ID!) { rejectContactRequest(requestId: $id) { removedId } }",
      [
        "id": .string(rejected)
      ]
    )
    // Somebody invites an address of hers.
    let invitation: Value = ["email": "xanthippe@zwiebel.example", "offer": ["WORK"]]
    let unverified = try await Household("Friend Four", on: server)
    _ = try await unverified.parent.perform(Documents.inviteContact, invitation)
    _ = try await leaver.parent.perform(Documents.inviteParent, ["email": "someone@zwiebel.example"])
    let eve = try await Household("Friend Five", on: server)
    _ = try await eve.parent.perform(Documents.inviteParent, ["email": "xanthippe@zwiebel.example"])
    _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(leaver.email)])
    await server.deliverMail()
  }

  private func groups(_ server: TestServer) async throws {
    let host = try await Household("Group Host", on: server)
    let own = try await leaver.createGroup("Singers")
    try await host.join(own)
    try await leaver.invite([try await Household("Invited Guest", on: server)], to: own)
    let club = try await host.createGroup("Club", access: "BY_REQUEST")
    _ = try await leaver.askToJoin(club)
    let strict = try await host.createGroup("Strict")
    try await leaver.join(strict)
    _ = try await host.removeMember(leaver, from: strict)
  }

  private func history(_ server: TestServer) async throws {
    let chore = try await leaver.addChore("Water the plants", for: [leaver.personID])
    _ = try await leaver.parent.perform(Documents.finishChore, ["id": .string(chore)])
    let photo = ["photo": SamplePicture.png(width: 8)]
    _ = try await leaver.parent.perform(Documents.addItem, ["name": "Tent"], files: photo)
    let image = ["image": SamplePicture.png(width: 9)]
    _ = try await leaver.parent.perform(Documents.addChore, ["name": "Sweep"], files: image)
    let body: Value = [
      "query": .string("mutation { addItem(input: { name: \"Rope\" }) { item { createdBy { name } } } }")
    ]
    let headers = [("Authorization", "Bearer \(leaver.parent.token ?? "")"), ("Idempotency-Key", "rope")]
    let answer = try await server.http.post(body.text, headers: headers)
    try #require(answer.json["data.addItem.item.createdBy.name"] == "Xanthippe Zwiebelturm", "\(answer.text)")
  }

  /// Her keys in the database.
  func keys(_ server: TestServer) throws -> [Int64] {
    try server.rows("SELECT id FROM account WHERE email_key = 'xanthippe@zwiebel.example'", columns: 1).map { $0[0] }
  }

  /// A walk through the data while the server uses it: through a backup, or through the PostgreSQL database.
  func walk(_ server: TestServer, keys: [Int64]) async throws -> Set<String> {
    if server.database == .postgresql {
      return Set(try await DataWalk(of: server.directory.path, words: Self.words, keys: keys).locations)
    }
    let backup = try TemporaryDirectory()
    try Maintenance.backup(.folder(server.directory.path), to: backup.path + "/hearth.db")
    return Set(try await DataWalk(of: backup.path, words: Self.words, keys: keys).locations)
  }
}
