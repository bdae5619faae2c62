import GraphQL

/// A postal address as entered. The formats of countries differ too much to normalize it.
struct PostalAddress: Hashable, Sendable {
  let line1: String
  let line2: String?
  let city: String
  let region: String?
  let postalCode: String?
  let country: String?

  /// All parts on one line, in the order of the input.
  var formatted: String {
    [line1, line2, city, region, postalCode, country].compactMap(\.self).joined(separator: ", ")
  }

  static let binding = ObjectBinding(fields: [
    "line1": .property { (address: PostalAddress) in .string(address.line1) },
    "line2": .property { (address: PostalAddress) in LeafValue(address.line2) },
    "city": .property { (address: PostalAddress) in .string(address.city) },
    "region": .property { (address: PostalAddress) in LeafValue(address.region) },
    "postalCode": .property { (address: PostalAddress) in LeafValue(address.postalCode) },
    "country": .property { (address: PostalAddress) in LeafValue(address.country) },
    "formatted": .property { (address: PostalAddress) in .string(address.formatted) },
  ])
}
