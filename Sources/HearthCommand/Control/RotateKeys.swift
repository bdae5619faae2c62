import ArgumentParser
import Hearth

struct RotateKeys: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rotate",
    abstract: "Replaces the key that signs access tokens.",
    discussion: """
      Access tokens that were signed with the old key remain valid until they expire. Nobody is signed out: refresh \
      tokens are not signed with this key.
      """
  )

  @Flag(help: "Also revokes the old key at once, for a key that others may know. Clients renew their access tokens.")
  var now = false

  @OptionGroup var options: ControlOptions

  func run() throws {
    try options.send(RotateKeysRequest(immediately: now)) { response in
      now
        ? "The signing key was replaced. Tokens of the old key are not valid any more."
        : "The signing key was replaced. Tokens of old keys are valid until \(response.oldTokensExpireAt.text)."
    }
  }
}
