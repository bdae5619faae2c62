/// Where a header line's name and value are.
struct HeaderField: Sendable, Equatable {
  let nameExtent: Extent
  let valueExtent: Extent
  let name: HeaderName
}
