import ClientGeneration
import Testing

@Suite("Swift types for operations")
struct SwiftGeneratorTests {}
