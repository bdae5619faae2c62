extension FacebookGraph {
  /// A place, a school or a company: a page of Facebook's.
  private struct Page: Decodable { let name: String? }

  private struct Places: Decodable {
    let location: Page?
    let hometown: Page?
  }

  private struct Career: Decodable {
    struct Job: Decodable { let employer: Page? }
    /// The newest first.
    let work: [Job]?
  }

  private struct Portrait: Decodable {
    struct Picture: Decodable {
      struct Place: Decodable {
        let url: String?
        /// It is nobody's: Facebook has drawn it.
        let isSilhouette: Bool?
      }
      let data: Place
    }
    let picture: Picture?
  }

  /// In bytes; the picture that is asked for has some 100 KB.
  private static let maximumPicture = 4 << 20

  /// What of a profile was granted to the app. Whatever is not, or cannot be had at the moment, is missing: each is
  /// asked for by itself, since asking for what an app may not ask for is refused as a whole. Blocks: never on a loop.
  func profile(with token: String) -> GrantedProfile {
    var profile = GrantedProfile()
    do {
      if let places: Places = try granted("location,hometown", token) {
        profile.currentCity = places.location?.name
        profile.hometown = places.hometown?.name
      }
      if let career: Career = try granted("work", token) {
        profile.company = career.work?.first?.employer?.name
      }
      if let portrait: Portrait = try granted("picture.width(720).height(720){url,is_silhouette}", token) {
        profile.picture = picture(portrait)
      }
    } catch {
      // It does not answer any more: nobody waits for the rest.
    }
    return profile
  }

  /// Nil where it was not granted.
  private func granted<Answer: Decodable>(_ fields: String, _ token: String) throws(IdentityFailure) -> Answer? {
    do throws(IdentityFailure) {
      return try ask("me", for: fields, with: token)
    } catch .refused {
      return nil
    }
  }

  private func picture(_ portrait: Portrait) -> [UInt8]? {
    // Facebook's own servers are not on this machine, but a stand-in's are.
    guard let place = portrait.picture?.data, place.isSilhouette != true, let address = place.url.flatMap(WebURL.init),
      !address.isLoopback || url.isLoopback
    else { return nil }
    let request = WebRequest(url: address, timeout: settings.timeout, maximumSize: Self.maximumPicture)
    guard let answer = try? request.perform(), answer.status == 200 else { return nil }
    return answer.body
  }
}
