import Foundation
import TestSupport
import Testing

@testable import Hearth

/// Every document of `Examples` against the demo family, in an order that makes a story of them: with the variables at
/// its top, of which the test fills in what only the answers before it can tell.
@Suite(
  "The examples run",
  .enabled(if: IssuerProcess.isAvailable, "Scripts/test installs PyJWT"),
  .timeLimit(.minutes(20))
)
struct ExampleRunTests {
  @Test func `each works as described, with the demo family`() async throws {
    let issuer = try await IssuerProcess()
    let configure: (inout Configuration) -> Void = { configuration in
      issuer.configure(&configuration)
      configuration.accessTokenLifetime = 86_400
    }
    try await TestServer.run(demo: true, configure: configure) { server in
      var story = try ExampleStory(server)
      let grace = try await accounts(&story)
      let ada = try await story.signIn()
      try await providers(&story, ada, issuer)
      try await family(&story, ada)
      try await things(&story, ada)
      try await addressBook(&story, ada, grace)
      try await groups(&story, ada, grace)
      try await secondParent(&story, ada, grace)
      try await leaving(&story, ada)
      #expect(story.missing == [], "documents that the story leaves out")
    }
  }

  /// Returns the registered client.
  private func accounts(_ story: inout ExampleStory) async throws -> Client {
    let registered = try await story.run("register", as: story.visitor)
    let grace = story.client(registered)
    try await story.run("resend-verification-email", as: grace)
    let mail = try await story.server.mail(to: "grace@example.com", about: "Confirm")
    _ = try await story.run("verify-email", as: story.visitor, ["token": .string(mail.token)])
    let signedIn = try await story.run("sign-in", as: story.visitor)
    _ = try await story.run(
      "refresh-session",
      as: story.visitor,
      ["refreshToken": signedIn["credentials.refreshToken"]]
    )
    _ = try await story.run("sign-in-child", as: story.visitor)
    return grace
  }

  private func family(_ story: inout ExampleStory, _ ada: Client) async throws {
    for name in ["dashboard", "children", "chores", "chores-of-a-period"] { try await story.run(name, as: ada) }
    let child = try await story.run("add-child", as: ada)["child.id"]
    try await story.run("update-child-profile", as: ada, ["input.id": child])
    let code = try await story.run("sign-in-code", as: ada, ["childId": child])["child.signInCode.token"]
    let scanned = story.client(try await story.run("sign-in-with-code", as: story.visitor, ["input.token": code]))
    #expect(try await story.run("child", as: scanned, ["id": child])["child.finishedChores.nodes"] == [])
    let children = try await story.run("child-sessions", as: ada)["children"].list
    #expect(children.last?["sessions"].each("signInMethod") == ["CODE"])
    #expect(try await story.run("sign-out", as: scanned)["signedOut"] == true)
    let chore = try await story.run("add-chore", as: ada)["chore.id"]
    try await story.run("update-chore", as: ada, ["input.id": chore, "input.assigneeIds.0": child])
    try await story.run("preload-chores", as: ada)
    let contract = try await story.run("make-contract", as: ada, ["input.childId": child])["contract.id"]
    let points = ["input.childId": child, "input.chores.0.choreId": chore]
    #expect(try await story.run("chore", as: ada, ["id": chore])["status"] == "OPEN")
    #expect(try await story.run("assign-points", as: ada, points)["child.points"] == 3)
    #expect(try await story.run("child", as: ada, ["id": child])["child.finishedChores.nodes"].each("points") == [3])
    try await story.run("end-contract", as: ada, ["id": contract])
    let son = try await story.run("sign-in-child", as: story.visitor)
    let member = son["credentials.viewer.id"]
    let dust: Value = ["name": "Dust", "assigneeIds": [member]]
    let own = try await ada.perform(Documents.addChore, ["input": dust])["chore.id"]
    try await story.run("finish-chore", as: story.client(son), ["id": own])
    try await story.run("reopen-chore", as: story.client(son), ["id": own])
    try await story.run("finish-chore", as: story.client(son), ["id": own])
    try await story.run("return-chore", as: ada, ["input.id": own])
    try await story.run("finish-chore", as: story.client(son), ["id": own])
    let awaiting = try await story.run("chores-to-approve", as: ada)["chores"]
    #expect(awaiting["totalCount"] == 1 && awaiting["nodes"].each("id") == [own])
    #expect(try await story.run("approve-chore", as: ada, ["input.id": own])["chore.approvedPoints"] == 2)
    let current = try await story.run("child", as: ada, ["id": member])["child.contract.id"]
    let redeemed = try await story.run("redeem-reward", as: story.client(son), ["input.contractId": current])
    #expect(redeemed["contract.levels"].list.first?["redeemedBy.name"] == son["credentials.viewer.name"])
    try await story.run("hand-out-reward", as: ada, ["input.contractId": current])
    let notifications = try await story.run("notifications-of-a-child", as: story.client(son))["notifications.nodes"]
    #expect(
      notifications.each("__typename").prefix(3) == [
        "RewardHandedOutNotification", "ChoreApprovedNotification", "ChoreReturnedNotification",
      ]
    )
    let entries = try await story.run("point-entries", as: ada, ["id": member])["child.pointEntries.nodes"]
    let gain = ["input.memberId": member, "input.entryId": entries["1.id"]]
    #expect(try await story.run("correct-points", as: ada, gain)["entry.points"] == -2)
    let other = try await story.run("add-chore", as: ada)["chore.id"]
    let reminder = try await story.run("set-reminder", as: ada, ["input.choreId": other])["reminder.id"]
    let due = try await story.dueReminder(ada)
    #expect(try await story.follow("reminder-due", as: ada)["reminderDue.id"] == due)
    try await story.run("answer-reminder", as: ada, ["input.id": due])
    try await story.run("remove-reminder", as: ada, ["id": reminder])
    try await story.run("remove-chore", as: ada, ["id": other])
    try await story.run("export-my-data", as: ada, ["childId": child])
    try await story.run("delete-child", as: ada, ["input.id": child])
    #expect(try await story.run("deleted-children", as: ada)["deletedChildren"].each("id") == [child])
    try await story.run("restore-child", as: ada, ["id": child])
    try await story.run("remove-child", as: ada, ["id": child])
    try await story.run("update-family", as: ada)
    let change = try await story.follow("family-changed", as: ada) {
      _ = try await ada.ask("mutation { addChore(input: {name: \"Walk the dog\"}) { chore { id } } }")
    }
    #expect(change["familyChanged.__typename"] == "ChoreChanged")
  }

  private func things(_ story: inout ExampleStory, _ ada: Client) async throws {
    let item = try await story.run("add-item", as: ada)["item.id"]
    try await story.run("items", as: ada)
    try await story.run("update-item", as: ada, ["input.id": item])
    try await story.run("remove-item", as: ada, ["id": item])
    let photo = ["photo": SamplePicture.jpeg()]
    #expect(try await story.run("add-item-with-photo", as: ada, files: photo)["item.photo.placeholder"] == false)
    let avatar = ["avatar": SamplePicture.jpeg()]
    let account = try await story.run("update-account-with-picture", as: ada, files: avatar)["account"]
    #expect(account["person.avatar.placeholder"] == false)
  }

  private func addressBook(_ story: inout ExampleStory, _ ada: Client, _ grace: Client) async throws {
    try await story.run("update-profile", as: ada)
    try await story.run("account", as: ada)
    let info = try await story.run("add-contact-info", as: ada)["contactInfo.id"]
    try await story.run("update-contact-info", as: ada, ["input.id": info])
    try await story.run("remove-contact-info", as: ada, ["id": info])
    let contact = try await story.run("address-book", as: ada)["contacts.nodes.0"]
    try await story.run("person", as: ada, ["id": contact["person.id"]])
    try await story.run("update-contact", as: ada, ["input.id": contact["id"]])
    try await story.run("match-address-book", as: ada)
    try await story.run("invite-contact", as: ada)
    let carole = try await story.run("contact-requests", as: ada)["received.nodes.0.id"]
    let accepted = try await story.run("accept-contact-request", as: ada, ["input.requestId": carole])["contact.id"]
    try await story.run("remove-contact", as: ada, ["id": accepted])
    for name in ["cancel-contact-request", "reject-contact-request"] {
      let request = try await story.run("request-contact", as: ada, ["input.personId": try await story.person(grace)])
      let who = name == "reject-contact-request" ? grace : ada
      try await story.run(name, as: who, ["requestId": request["contactRequest.id"]])
    }
    let adas = try await story.person(ada)
    let notification = try await story.follow("notification-received", as: ada) {
      _ = try await grace.perform(Documents.requestContact, ["id": adas, "offer": ["WORK"]])
    }
    #expect(notification["notificationReceived.__typename"] == "ContactRequestNotification")
    try await story.run("notifications", as: ada)
    let change = try await story.follow("account-changed", as: ada) {
      _ = try await ada.perform(Documents.updateAccount, ["input": ["theme": "OCEAN"]])
    }
    #expect(change["accountChanged.__typename"] == "AccountChanged")
    try await story.run("mark-notifications-read", as: ada)
    try await story.run("web-push-key", as: ada)
    // Nothing is sent to this host, which has no address.
    let device = try await story.run(
      "register-device",
      as: ada,
      ["input.address.web.endpoint": "https://push.invalid/one"]
    )
    let settings = try await story.run("update-notification-settings", as: ada)
    #expect(settings["account.notificationSettings.quietHours.until"] == "07:00")
    #expect(try await story.run("devices", as: ada)["devices"].each("name") == ["Laptop"])
    try await story.run("unregister-device", as: ada, ["id": device["device.id"]])
  }

  private func groups(_ story: inout ExampleStory, _ ada: Client, _ grace: Client) async throws {
    let person = try await story.person(grace)
    let group = try await story.run("create-group", as: ada)["group.id"]
    try await story.run("update-group", as: ada, ["input.id": group])
    try await story.run("groups", as: ada)
    let both: [String: Value] = ["input.groupId": group, "input.personId": person]
    for isFirst in [true, false] {
      try await story.run("invite-to-group", as: ada, ["input.groupId": group, "input.personIds.0": person])
      try await story.run("join-group", as: grace, ["groupId": group])
      try await story.run("group-members", as: grace, ["id": group])
      if isFirst {
        try await story.run("set-group-role", as: ada, both)
        try await story.run("leave-group", as: grace, ["groupId": group])
      } else {
        try await story.run("remove-group-member", as: ada, both)
      }
    }
    for (email, answer) in [("browning", "reject"), ("janna", "accept")] {
      let asking = try await demo(story, "\(email)@example.com")
      let joined = try await story.run("join-group", as: asking, ["groupId": group])
      #expect(joined["group.viewerRole"] == .null)
      let requests = try await story.run("group-join-requests", as: ada, ["id": group])["joinRequests.nodes"]
      #expect(requests.each("id") == [joined["group.viewerJoinRequest.id"]])
      try await story.run("\(answer)-group-join-request", as: ada, ["requestId": requests["0.id"]])
    }
    try await story.run("delete-group", as: ada, ["id": group])
    try await story.run("search", as: ada)
  }

  private func providers(_ story: inout ExampleStory, _ ada: Client, _ issuer: IssuerProcess) async throws {
    let nonce: Value = ["nonce": "what the app asked with"]
    let others = try await issuer.token(nonce.merging(["sub": "ada-by-apple"]))
    try await story.run("link-identity", as: ada, ["input.token": .string(others)])
    try await story.run("identities", as: ada)
    try await story.run("unlink-identity", as: ada)
    let friends = try await issuer.accessToken("EAABfriends", friends: [["id": "1", "name": "Johnny"]])
    let matches = try await story.run("match-facebook-friends", as: ada, ["token": .string(friends)])["matches"]
    #expect(matches.each("entry") == ["Johnny"])
    let new = try await issuer.token(
      nonce.merging(["sub": "alan", "email": "alan@example.com", "name": "Alan Turing"])
    )
    try await story.run("sign-in-with-identity", as: story.visitor, ["input.token": .string(new)])
  }

  private func secondParent(_ story: inout ExampleStory, _ ada: Client, _ grace: Client) async throws {
    func token(_ story: ExampleStory) async throws -> Value {
      .string(try await story.server.mail(to: "grace@example.com", about: "invites").token)
    }
    // Another person presents the invitation, and a parent confirms them.
    let browning = try await demo(story, "browning@example.com")
    try await story.run("invite-parent", as: ada)
    let waiting = try await story.run("accept-family-invitation", as: browning, ["token": try await token(story)])
    #expect(waiting["invitation.status"] == "AWAITING_CONFIRMATION")
    let invitation = try await story.run("family-invitations", as: ada)["invitations.0"]
    let person = invitation["claimedBy.id"]
    try await story.run(
      "confirm-family-invitation",
      as: ada,
      ["invitationId": invitation["id"], "personId": person]
    )
    let removal = try await story.run(
      "request-parent-removal",
      as: browning,
      ["input.personId": try await story.person(ada)]
    )["removal.id"]
    try await story.run("object-to-parent-removal", as: ada, ["removalId": removal])
    // The invited address, which has been verified, is accepted at once.
    try await story.run("invite-parent", as: ada)
    let accepted = try await story.run("accept-family-invitation", as: grace, ["token": try await token(story)])
    #expect(accepted["family.parents"].list.count == 4)
    let own: Value = "at least 8 characters"
    let other = try await story.run(
      "request-parent-removal",
      as: grace,
      ["input.personId": person, "input.password": own]
    )["removal.id"]
    try await story.run("cancel-parent-removal", as: grace, ["removalId": other])
    try await story.run("leave-family", as: grace, ["password": own])
    let stop = try await story.server.mail(to: "grace@example.com", about: "invites").stopToken
    try await story.run("stop-invitations", as: story.visitor, ["token": .string(stop)])
    let last = try await story.run("invite-parent", as: ada)["invitation.id"]
    try await story.run("cancel-family-invitation", as: ada, ["invitationId": last])
  }

  /// A person of the demo data.
  private func demo(_ story: ExampleStory, _ email: String) async throws -> Client {
    let input = A02SignInTests.input(email, "hearth-demo")
    let signedIn = try await story.visitor.perform(Documents.signIn, input)
    let token: String = try #require(signedIn["credentials.accessToken"].string, "\(signedIn)")
    return story.visitor.with(token: token)
  }

  private func leaving(_ story: inout ExampleStory, _ ada: Client) async throws {
    try await story.run("update-account", as: ada)
    // `unlink-identity` has ended Ada's first session.
    _ = try await story.signIn()
    let sessions = try await story.run("sessions", as: ada)["sessions"].list
    let other = try #require(sessions.first { $0["current"] == false })
    try await story.run("end-session", as: ada, ["id": other["id"]])
    try await story.run("change-password", as: ada)
    try await story.run("change-email", as: ada, ["input.password": "at least 8 characters"])
    let change = try await story.server.mail(to: "ada.lovelace@example.com", about: "new e-mail")
    try await story.run("confirm-email-change", as: ada, ["token": .string(change.token)])
    let back: [String: Value] = ["input.email": "ada@example.com", "input.password": "at least 8 characters"]
    try await story.run("change-email", as: ada, back)
    let changedBack = try await story.server.mail(to: "ada@example.com", about: "new e-mail")
    try await story.run("confirm-email-change", as: ada, ["token": .string(changedBack.token)])
    try await story.run("request-password-reset", as: story.visitor)
    let mail = try await story.server.mail(to: "ada@example.com", about: "new password")
    let reset = try await story.run("reset-password", as: story.visitor, ["input.token": .string(mail.token)])
    let password: Value = "at least 8 characters"
    try await story.run("deactivate-account", as: story.client(reset), ["password": password])
    let returned = try await story.run(
      "sign-in",
      as: story.visitor,
      ["input.password": password, "input.reactivate": true]
    )
    try await story.run("delete-account", as: story.client(returned), ["password": password])
  }
}
