import Basics

/// Names of people, cities and other parts of profiles, for benchmarks: a few frequent, many rare, in several scripts.
enum PeopleNames {
  static func person(_ random: inout SeededGenerator) -> (first: String, last: String) {
    switch random.next() % 20 {
    case 0: return (pick(cyrillicFirst, random: &random), pick(cyrillicLast, random: &random))
    case 1: return (pick(greekFirst, random: &random), pick(greekLast, random: &random))
    case 2: return (pick(arabicFirst, random: &random), pick(arabicLast, random: &random))
    case 3: return (pick(devanagariFirst, random: &random), pick(devanagariLast, random: &random))
    case 4: return (pick(hanFirst, random: &random), pick(hanLast, random: &random))
    default: return (pick(latinFirst, random: &random), latinLastName(&random))
    }
  }

  static func profile(_ random: inout SeededGenerator) -> Seeder.Profile {
    let hometown = city(&random)
    // Most people live in their hometown.
    let current = random.next() % 3 == 0 ? city(&random) : hometown
    return Seeder.Profile(
      currentCity: random.next() % 4 == 0 ? nil : current,
      hometown: hometown,
      company: random.next() % 3 == 0 ? nil : "\(latinLastName(&random)) \(pick(trades, random: &random))",
      highSchool: random.next() % 2 == 0 ? nil : "\(hometown) High School",
      college: random.next() % 3 > 0 ? nil : college(&random)
    )
  }

  static func group(_ random: inout SeededGenerator) -> PersonGroup.Content {
    let town = city(&random)
    let about = pick(pastimes, random: &random)
    return PersonGroup.Content(
      name: random.next() % 3 == 0 ? "\(latinLastName(&random)) Family" : "\(town) \(about)",
      description: "A group for all who love \(about.lowercased()).",
      hometown: town,
      sharing: Scopes(bits: Int64(random.next() % 8))
    )
  }

  private static func city(_ random: inout SeededGenerator) -> String {
    random.next() % 2 == 0
      ? pick(cities, random: &random) : pick(roots, random: &random) + pick(cityEndings, random: &random)
  }

  private static func college(_ random: inout SeededGenerator) -> String {
    let city = city(&random)
    return random.next() % 2 == 0 ? "University of \(city)" : "\(city) College"
  }

  private static func latinLastName(_ random: inout SeededGenerator) -> String {
    random.next() % 3 > 0
      ? pick(latinLast, random: &random) : pick(roots, random: &random) + pick(nameEndings, random: &random)
  }

  /// Picks the first elements of a list much more often than the last.
  private static func pick(_ list: [String], random: inout SeededGenerator) -> String {
    let fraction = Double(random.next() >> 11) / Double(1 << 53)
    return list[min(Int(fraction * fraction * Double(list.count)), list.count - 1)]
  }

  private static let latinFirst = words(
    """
    Anna Maria John James Mary Robert Michael Linda David Emma Olivia Noah Liam Sofia Ben Lucas Mia Hannah Daniel Thomas
    Laura Peter Paul Julia Sarah Martin Elena Carlos José Ana Luis Carmen Marta Jan Piotr Agnieszka Katarzyna Zoë Chloé Léa
    Hugo Émile François Jürgen Björn Åsa Søren Ingrid Astrid Lars Ayşe Mehmet Elif Yusuf Giulia Marco Chiara Matteo Duncan
    Albert Benjamin Cody Derek Eric Frances Gloria Harriet Imogen Jasper Keira Leonard Miriam Nathaniel Oscar Penelope
    Quentin Rosalind Sebastian Theodora Ursula Valentin Wilhelmina Xavier Yolanda Zachary Aguirre Armstrong Browning Carole
    Davenport Earnestine Janna Nguyễn Thị Anh Siobhán Niamh Łukasz Żaneta Žofie Dvořák Åke Ömer Çağla Ñusta
    """
  )
  private static let latinLast = words(
    """
    Smith Johnson Williams Brown Jones García Miller Davis Rodríguez Martínez Hernández López Wilson Anderson Thomas Taylor
    Moore Jackson Martin Lee Pérez Thompson White Harris Sánchez Clark Ramírez Lewis Robinson Walker Young Allen King
    Wright Scott Torres Nguyen Hill Flores Green Adams Nelson Baker Hall Rivera Campbell Mitchell Carter Roberts Müller
    Schmidt Schneider Fischer Weber Meyer Wagner Becker Schulz Kowalski Nowak Wiśniewski Rossi Russo Ferrari Dubois Moreau
    Laurent Bakker Jansen Visser Eriksson Lindqvist Hansen Øster Yılmaz Kaya O'Brien McCarthy Duncan Gillespie Raymond
    Hendricks Copeland Chan Duran Patel Benedict Almeida Costa Silva Horváth Nagy Novák Petrov Ito Tanaka Zhang Kim Okafor
    """
  )
  private static let cyrillicFirst = words(
    "Анна Мария Иван Дмитрий Ольга Елена Сергей Наталья Алексей Татьяна Юрий Ксения"
  )
  private static let cyrillicLast = words(
    "Иванов Смирнов Кузнецов Попов Соколов Лебедев Новиков Шевченко Коваленко Бондарь"
  )
  private static let greekFirst = words("Μαρία Γιώργος Ελένη Δημήτρης Κατερίνα Νίκος Βασιλική Γιάννης")
  private static let greekLast = words("Παπαδόπουλος Παππάς Καραγιάννης Βλάχος Ιωάννου Οικονόμου")
  private static let arabicFirst = words("محمد فاطمة أحمد مريم علي عائشة حسن ليلى يوسف زينب")
  private static let arabicLast = words("الحسن إبراهيم خليل منصور حداد النجار الخطيب")
  private static let devanagariFirst = words("प्रिया राहुल अनीता अमित सुनीता विजय")
  private static let devanagariLast = words("शर्मा वर्मा सिंह गुप्ता पटेल")
  private static let hanFirst = words("伟 芳 娜 敏 静 丽 强 磊 洋 艳")
  private static let hanLast = words("王 李 张 刘 陈 杨 黄 赵 吴 周")

  private static let cities = words(
    """
    London Paris Berlin Boston Chicago Amherst Danvers Greenfield Hartford Madrid Barcelona Lisbon Porto Roma Milano Napoli
    Wien Zürich Genève Praha Warszawa Kraków Łódź Gdańsk Budapest Athens Istanbul Ankara Kyiv Moscow Oslo Bergen Stockholm
    Göteborg Malmö København Aarhus Helsinki Dublin Cork Galway Edinburgh Glasgow Cardiff Leeds Bristol Toronto Montréal
    Seattle Portland Denver Austin Houston Dallas Atlanta Miami Detroit Weston Springfield Москва Αθήνα القاهرة 北京 東京
    """
  )
  private static let roots = words(
    """
    Black White Green Red Wood Stone Hart Wolf Fox Eagle Oak Ash Elm Thorn Rose Brook Lake Hill Sand Clay Iron Silver Gold
    Bright Fair Long Short Strong Wise Good North South East West Spring Summer Winter Corn Barley Apple Cherry Hazel Linden
    Birch Maple Cedar Falcon Raven Swan Otter Badger Heron Sparrow Kirk Abbot Bishop King Queen Castle Church Bridge
    """
  )
  private static let cityEndings = words(
    "ville burg port ton field ford ham wick by mouth haven dale stead worth minster gate bury pool"
  )
  private static let nameEndings = words(
    "man son well ford ley wood worth berg stein feld bach dahl gren strom smith wright"
  )
  private static let trades = words(
    "Inc. Bakery Motors Labs Foods Books Systems Textiles Consulting Insurance Shipping Brewery Semiconductors GmbH"
  )
  private static let pastimes = [
    "Runners", "Book Club", "Chess", "Gardeners", "Choir", "Football", "Hikers", "Photographers", "Knitters", "Yo-Yo",
    "Bird Watchers", "Jazz", "Cyclists", "Cooks", "Sailors", "Red Sox Fans",
  ]

  private static func words(_ text: String) -> [String] { text.split(whereSeparator: \.isWhitespace).map(String.init) }
}
