/// The ranges of the name and the value of a header line.
struct HeaderField: BitwiseCopyable, Sendable, Equatable {
  let nameExtent: Extent
  let valueExtent: Extent
  let name: HeaderName
}
