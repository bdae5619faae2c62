import Testing

@testable import Hearth

@Suite("Domains that are not ASCII")
struct DomainNameTests {
  /// Samples of RFC 3492, section 7.1.
  @Test(
    arguments: [
      ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"), ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
      ("Pročprostěnemluvíčesky", "Proprostnemluvesky-uyb24dma41a"),
      ("למההםפשוטלאמדבריםעברית", "4dbcagdahymbxekheh6e0a7fei0b"),
      ("почемужеонинеговорятпорусски", "b1abfaaepdrnnbgefbadotcwatmq2g4l"),
      ("3年B組金八先生", "3B-ww4c5e180e575a65lsy2b"), ("パフィーdeルンバ", "de-jg4avhby1noc0d"),
      ("安室奈美恵-with-SUPER-MONKEYS", "-with-SUPER-MONKEYS-pc58ag80a8qai00g7n9n"),
      ("MajiでKoiする5秒前", "MajiKoi5-783gue6qz075azm5e"), ("-> $1.00 <-", "-> $1.00 <--"),
    ]
  )
  func `Punycode encodes the samples of its specification`(text: String, encoded: String) {
    #expect(Punycode.encode(text) == encoded)
  }

  @Test(
    arguments: [
      ("example.com", "example.com"), ("EXAMPLE.com", "EXAMPLE.com"), ("bücher.example", "xn--bcher-kva.example"),
      ("BÜCHER.example", "xn--bcher-kva.example"), ("bu\u{308}cher.example", "xn--bcher-kva.example"),
      ("mail.日本語.jp", "mail.xn--wgv71a119e.jp"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
      ("straße.de", "xn--strae-oqa.de"), ("xn--bcher-kva.example", "xn--bcher-kva.example"), ("", ""),
    ]
  )
  func `each label is converted on its own`(name: String, ascii: String) {
    #expect(DomainName.ascii(name) == ascii)
  }

  @Test func `the part of an address before the @ stays as it is`() {
    #expect(Mailbox(name: nil, address: "Zoë@bücher.example").address == "Zoë@xn--bcher-kva.example")
  }
}
