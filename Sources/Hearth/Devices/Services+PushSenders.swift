extension Services {
  /// The senders of the channels that are configured.
  var pushSenders: [PushChannel: any PushSender] {
    let settings = configuration.push
    var senders: [PushChannel: any PushSender] = [.web: WebPushSender(settings, key: keys.push, contact: pushContact)]
    if let apple = settings.apple { senders[.apple] = ApplePushSender(apple, timeout: settings.timeout) }
    if let google = settings.google { senders[.google] = GooglePushSender(google, timeout: settings.timeout) }
    if let webhook = settings.webhook { senders[.webhook] = WebhookSender(webhook) }
    return senders
  }

  /// How push services reach the operator (RFC 8292, section 2.1).
  private var pushContact: String {
    guard let url = configuration.publicURL, url.hasPrefix("https://") else {
      return "mailto:\(configuration.mailSender)"
    }
    return url
  }
}
