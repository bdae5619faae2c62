extension Asset {
  /// The playground page, offering to sign in as one of some people.
  ///
  /// - Parameter people: a JSON array of `{"label", "email" or "username", "password"}`. Whoever opens the page can
  ///   read it: only for people whose data is made up.
  package static func demonstrationPage(people: String) -> Asset {
    let page = playgroundPage
    let element = "<meta name=\"hearth-demo\" content=\"\(escapedForAttribute(people))\">"
    let placeholder = Array("<!--HEARTH_DEMO-->".utf8)
    guard let place = page.bytes.firstRange(of: placeholder) else {
      preconditionFailure("playground.html has lost its place for the demo people")
    }
    var bytes = page.bytes
    bytes.replaceSubrange(place, with: element.utf8)
    return Asset(path: page.path, mediaType: page.mediaType, bytes: bytes)
  }
}

/// The text as it stands between double quotes in HTML.
private func escapedForAttribute(_ text: String) -> String {
  var escaped = ""
  for character in text.unicodeScalars {
    switch character {
    case "&": escaped += "&amp;"
    case "\"": escaped += "&quot;"
    case "<": escaped += "&lt;"
    case ">": escaped += "&gt;"
    default: escaped.unicodeScalars.append(character)
    }
  }
  return escaped
}
