import Testing

@testable import HTTPServer

@Suite("The limit on connections")
struct ConnectionLimitTests {
  /// 64 descriptors are kept for the process, and 8 for each of 2 loops.
  @Test(arguments: [
    (descriptors: 100_000, openCount: 40, maximum: 50_000, descriptorLimit: 99_960),
    (descriptors: 1_024, openCount: 40, maximum: 904, descriptorLimit: 984),
    (descriptors: 300, openCount: 40, maximum: 180, descriptorLimit: 260),
    (descriptors: 100, openCount: 40, maximum: 30, descriptorLimit: 85),
    (descriptors: 40, openCount: 40, maximum: 1, descriptorLimit: 40),
    (descriptors: Int.max, openCount: 40, maximum: 50_000, descriptorLimit: Int.max - 40),
  ])
  func `connections leave descriptors free`(
    descriptors: Int,
    openCount: Int,
    maximum: Int,
    descriptorLimit: Int
  ) {
    let limit = ConnectionLimit(HTTPServerOptions(), loops: 2, descriptors: descriptors, openCount: openCount)
    #expect(limit.maximum == maximum && limit.descriptorLimit == descriptorLimit, "\(limit)")
  }
}
