/// The media types a client accepts, and how much (RFC 9110, section 12.5.1).
package struct Accept: Sendable, Equatable {
  private struct Range: Sendable, Equatable {
    /// `*` stands for any type or subtype.
    let mediaType: MediaType
    /// In thousandths.
    let quality: Int

    /// How specifically the range matches the type; nil if it does not match. More specific ranges take precedence over
    /// wider ones, whatever their order.
    func specificity(for offer: MediaType) -> Int? {
      if mediaType.type == "*" { return 0 }
      guard mediaType.type == offer.type else { return nil }
      if mediaType.subtype == "*" { return 1 }
      guard mediaType.subtype == offer.subtype else { return nil }
      let fits = mediaType.parameters.allSatisfy { wanted in
        offer[wanted.name]?.lowercased() == wanted.value.lowercased()
      }
      return fits ? 2 + mediaType.parameters.count : nil
    }
  }

  private let ranges: [Range]

  /// A header with more ranges is treated as malformed.
  package static let maximumRanges = 64

  /// Parses all Accept headers of a request, as returned by `HTTPRequest.values(of: .accept)`. A client that sends
  /// none, or an empty one, accepts anything. Nil if one is malformed.
  package init?(_ headers: [ArraySlice<UInt8>]) {
    var ranges: [Range] = []
    for header in headers {
      guard header.withUnsafeBytes({ Self.read($0, into: &ranges) }) else { return nil }
    }
    self.ranges = ranges
  }

  /// The client's preference for a type: from 0, not acceptable, to 1000.
  package func quality(of offer: MediaType) -> Int {
    if ranges.isEmpty { return 1000 }
    var best = -1
    var quality = 0
    for range in ranges {
      guard let specificity = range.specificity(for: offer), specificity > best else { continue }
      best = specificity
      quality = range.quality
    }
    return quality
  }

  /// The index of the offer that the client prefers, and of the first of equally preferred ones. Nil if it accepts
  /// none.
  package func preferred(among offers: [MediaType]) -> Int? {
    var best: Int?
    var bestQuality = 0
    for (index, offer) in offers.enumerated() {
      let quality = quality(of: offer)
      if quality > bestQuality { (best, bestQuality) = (index, quality) }
    }
    return best
  }

  private static func read(_ bytes: UnsafeRawBufferPointer, into ranges: inout [Range]) -> Bool {
    var reader = FieldValueReader(bytes)
    while true {
      reader.skipWhitespace()
      if reader.isAtEnd { return true }
      if reader.take(UInt8(ascii: ",")) { continue }
      guard ranges.count < maximumRanges, let sent = MediaType(from: &reader), let range = range(from: sent) else {
        return false
      }
      ranges.append(range)
      guard reader.isAtEnd || reader.take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Interprets the parameter `q` as the weight. Parameters after it do not belong to the media type.
  private static func range(from sent: MediaType) -> Range? {
    guard sent.type != "*" || sent.subtype == "*" else { return nil }
    guard let weight = sent.parameters.firstIndex(where: { $0.name == "q" }) else {
      return Range(mediaType: sent, quality: 1000)
    }
    guard let quality = Quality.thousandths(sent.parameters[weight].value) else { return nil }
    let parameters = Array(sent.parameters[..<weight])
    return Range(mediaType: MediaType(type: sent.type, subtype: sent.subtype, parameters: parameters), quality: quality)
  }
}
