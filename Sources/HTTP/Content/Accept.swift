/// The media types a client accepts, and how much (RFC 9110, section 12.5.1).
package struct Accept: Sendable, Equatable {
  private struct Range: Sendable, Equatable {
    /// `*` stands for any type or subtype.
    let mediaType: MediaType
    /// In thousandths.
    let quality: Int

    /// How closely the range fits the type, or nil if it does not: a closer one counts before a wider one, whatever
    /// their order.
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

  /// More ranges than this are taken for malformed.
  package static let mostRanges = 64

  /// Reads all Accept headers of a request, as `HTTPRequest.values(of: .accept)` gives them. A client that sends none,
  /// or an empty one, accepts anything. Nil if one is malformed.
  package init?(_ headers: [ArraySlice<UInt8>]) {
    var ranges: [Range] = []
    for header in headers {
      guard header.withUnsafeBytes({ Self.read($0, into: &ranges) }) else { return nil }
    }
    self.ranges = ranges
  }

  /// How much the client wants this type: from 0, not at all, to 1000.
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

  /// The place among `offers` of the one the client wants most; of equally wanted ones the first. Nil if it accepts
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
      guard ranges.count < mostRanges, let sent = MediaType(from: &reader), let range = range(from: sent) else {
        return false
      }
      ranges.append(range)
      guard reader.isAtEnd || reader.take(UInt8(ascii: ",")) else { return false }
    }
  }

  /// Takes the parameter `q` for the weight; what follows it says nothing about the type.
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
