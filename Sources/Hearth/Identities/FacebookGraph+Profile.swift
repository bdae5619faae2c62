extension FacebookGraph {
  /// A Facebook page: a city, a school or a company.
  private struct Page: Decodable { let name: String? }

  private struct Cities: Decodable {
    let location: Page?
    let hometown: Page?
  }

  private struct Career: Decodable {
    struct Job: Decodable { let employer: Page? }
    /// Newest first.
    let work: [Job]?
  }

  private struct Portrait: Decodable {
    struct Picture: Decodable {
      struct File: Decodable {
        let url: String?
        /// Whether the picture is Facebook's default rather than the person's own.
        let isSilhouette: Bool?
      }
      let data: File
    }
    let picture: Picture?
  }

  /// In bytes. The requested picture has some 100 KB.
  private static let maximumPicture = 4 << 20

  /// Fetches the parts of a profile that the person has granted to the app. Parts that are not granted or currently
  /// unavailable are missing. Each part is requested separately, because Facebook rejects a whole request if one of its
  /// fields is not granted. Blocks, so it must not be called on an event loop.
  func profile(with token: String) -> GrantedProfile {
    var profile = GrantedProfile()
    do {
      if let cities: Cities = try granted("location,hometown", with: token) {
        profile.currentCity = cities.location?.name
        profile.hometown = cities.hometown?.name
      }
      if let career: Career = try granted("work", with: token) {
        profile.company = career.work?.first?.employer?.name
      }
      if let portrait: Portrait = try granted("picture.width(720).height(720){url,is_silhouette}", with: token) {
        profile.picture = picture(portrait)
      }
    } catch {
      // Facebook does not respond any more, so the remaining parts are skipped.
    }
    return profile
  }

  /// Returns nil if the fields are not granted.
  private func granted<Response: Decodable>(_ fields: String, with token: String) throws(IdentityFailure) -> Response? {
    do throws(IdentityFailure) {
      return try fetch("me", for: fields, with: token)
    } catch .rejected {
      return nil
    }
  }

  private func picture(_ portrait: Portrait) -> [UInt8]? {
    // Facebook's own servers are never on this machine, but those of tests are.
    guard let file = portrait.picture?.data, file.isSilhouette != true, let address = file.url.flatMap(WebURL.init),
      !address.isLoopback || url.isLoopback
    else { return nil }
    let request = WebRequest(url: address, timeout: settings.timeout, maximumSize: Self.maximumPicture)
    guard let response = try? request.perform(), response.status == 200 else { return nil }
    return response.body
  }
}
