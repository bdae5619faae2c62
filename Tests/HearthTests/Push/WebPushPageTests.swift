import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The guide's page subscribes in a browser, and its worker shows what arrives", .timeLimit(.minutes(3)))
struct WebPushPageTests {
  private static let hasBrowser =
    PythonScript.has("selenium", "websockets") && PushServiceProcess.isAvailable
    && FileManager.default.isExecutableFile(atPath: "/usr/bin/chromedriver")

  @Test(.enabled(if: hasBrowser, "Chromium or Selenium is not installed."))
  func `a message is encrypted for the subscription that the page registers`() async throws {
    let blocks = try Document("Documentation/web.md").blocks.filter {
      $0.text.contains("pushManager.subscribe") || $0.text.contains("addEventListener(\"push\"")
    }
    try #require(blocks.count == 2)
    let folder = try TemporaryDirectory()
    let files = ["/page.js", "/worker.js"].map { folder.path + $0 }
    for (file, block) in zip(files, blocks) { try block.text.write(toFile: file, atomically: true, encoding: .utf8) }
    try await PushStory.run { story in
      let subscription = try await story.service.subscription("ada")["web"]
      let keys = ["p256dh": subscription["p256dh"], "auth": subscription["auth"]] as Value
      let given = ["endpoint": subscription["endpoint"], "keys": keys] as Value
      let arguments =
        files + [
          given.text, "http://127.0.0.1:\(story.server.port)/graphql", try #require(story.ada.parent.token),
          "http://127.0.0.1:\(story.service.port)/control",
        ]
      async let browser = PythonScript.run("Push/web_push_in_browser.py", arguments)
      while try await story.ada.parent.deviceNames() != ["Laptop"] { await Task.yield() }
      try await story.finish()
      #expect(try await browser == .ok)
    }
  }
}
