import Testing

@testable import Hearth

@Suite("Pictures that could not be scaled")
struct FailedPicturesTests {
  @Test func `are tried again after some minutes if the machine may have been busy`() {
    var failed = FailedPictures()
    let (start, delayed, damaged) = (ContinuousClock.now, PictureHash(of: [1]), PictureHash(of: [2]))
    failed.insert(delayed, mayPass: true, at: start)
    failed.insert(damaged, mayPass: false, at: start)
    let retry = start + FailedPictures.retryDelay
    #expect(failed.contains(delayed, at: start) && failed.contains(delayed, at: retry - .milliseconds(1)))
    #expect(!failed.contains(delayed, at: retry) && failed.contains(damaged, at: retry))
    #expect(!failed.contains(PictureHash(of: [3]), at: start))
    failed.insert(delayed, mayPass: true, at: retry)
    #expect(failed.contains(delayed, at: retry))
    failed.insert(delayed, mayPass: false, at: retry)
    #expect(failed.contains(delayed, at: retry + FailedPictures.retryDelay))
  }
}
