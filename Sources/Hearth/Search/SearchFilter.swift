import GraphQL

/// The argument `filter` of `search`: words that a property must contain. They are read as those of `query` are.
struct SearchFilter: Sendable {
  enum Property: String, CaseIterable, Sendable {
    case name
    /// A hometown or a current city.
    case city
    case company
    /// A high school or a college.
    case school
  }

  /// The parts of the filter that have words.
  let parts: [(property: Property, query: SearchQuery)]

  init(_ parts: [(property: Property, query: SearchQuery)] = []) { self.parts = parts }

  init(_ arguments: Arguments) throws(FieldError) {
    var parts: [(property: Property, query: SearchQuery)] = []
    for property in Property.allCases {
      guard let text = arguments["filter"]?[property.rawValue]?.string else { continue }
      let query = try SearchQuery(text, argument: "filter.\(property.rawValue)")
      if !query.isEmpty { parts.append((property, query)) }
    }
    self.parts = parts
  }
}
