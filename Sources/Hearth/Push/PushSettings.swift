import Foundation

/// How notifications leave the server.
package struct PushSettings: Sendable {
  /// Nil without a webhook.
  package var webhook: Webhook?
  /// The hosts of push services at which browsers can register. `*.example.com` stands for all hosts below it, and `*`
  /// for all.
  package var webHosts = [
    "fcm.googleapis.com", "*.push.services.mozilla.com", "*.push.apple.com", "*.notify.windows.com",
  ]
  /// Whether push services can have addresses that are not public, and be reached without encryption on this machine.
  /// For tests.
  var allowsPrivateHosts = false
  /// The timeout of a request to a push service, in milliseconds.
  var timeout = 10_000
  /// Apple's service; nil if nothing is sent there.
  package var apple: ApplePushSettings?
  /// Google's service; nil if nothing is sent there.
  package var google: GooglePushSettings?

  package init() {}

  /// Whether browsers can register an endpoint: HTTPS at the default port of an accepted host, without credentials.
  func accepts(_ endpoint: WebURL) -> Bool {
    guard let parts = URLComponents(string: endpoint.text), let host = parts.host?.lowercased(), parts.user == nil,
      parts.password == nil
    else { return false }
    if allowsPrivateHosts, endpoint.isLoopback { return true }
    guard parts.scheme == "https", parts.port == nil || parts.port == 443 else { return false }
    return webHosts.contains { accepted in
      accepted == "*" || accepted == host || (accepted.hasPrefix("*.") && host.hasSuffix(accepted.dropFirst()))
    }
  }
}
