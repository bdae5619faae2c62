// A lexer for possibly incomplete GraphQL: unclosed strings end with their line, block strings with the text.

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

/** The tokens in order, including comments, each { kind, text, start, end }. */
export function tokensIn(source) {
  return Array.from(source.matchAll(pattern), (match) => ({
    kind: Object.keys(match.groups).find((kind) => match.groups[kind] !== undefined),
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
