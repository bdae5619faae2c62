// GraphQL's tokens, of text that may still be in the making: what is not closed ends where the text or its line does.

const pattern = new RegExp([
  /(?<comment>#[^\n\r]*)/,
  /(?<block>"""(?:\\"""|[^])*?(?:"""|$))/,
  /(?<string>"(?:[^"\\\n\r]|\\.)*"?)/,
  /(?<spread>\.\.\.)/,
  /(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/,
  /(?<variable>\$\w*)/,
  /(?<directive>@\w*)/,
  /(?<name>[A-Za-z_]\w*)/,
  /(?<mark>[!&()|:=[\]{}])/,
  /(?<unknown>[^\s,\ufeff])/,
].map((part) => part.source).join("|"), "g");

/** The tokens in order, each { kind, text, start, end }; comments are among them. */
export function tokensIn(source) {
  return Array.from(source.matchAll(pattern), (match) => ({
    kind: Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined),
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
