// Syntax highlighting for GraphQL, JSON and scripts: the kind of each token and its class in the style sheet (`t-…`).

import { HighlightStyle, StreamLanguage, syntaxHighlighting, tags } from "../codemirror.js";

/** Keywords that begin a definition. Within one they are ordinary names. */
const keywords = new RegExp(`^(?:${[
  "query", "mutation", "subscription", "fragment", "on", "schema", "extend", "type", "interface", "implements", "union", "enum", "input",
  "scalar", "directive", "repeatable",
].join("|")})\\b`);
const indentation = (state, textAfter, { unit }) => Math.max(0, state.depth - (/^[)\]}]/.test(textAfter) ? 1 : 0)) * unit;

function bracket(stream, state) {
  if (stream.match(/^[[({]/)) state.depth += 1;
  else if (stream.match(/^[\])}]/)) state.depth = Math.max(0, state.depth - 1);
  else return false;
  return true;
}

const graphql = StreamLanguage.define({
  name: "graphql",
  startState: () => ({ depth: 0, inBlock: false, isBeforeOn: false }),
  copyState: (state) => ({ ...state }),
  indent: indentation,
  languageData: { commentTokens: { line: "#" }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
  token(stream, state) {
    if (state.inBlock || stream.match('"""')) {
      state.inBlock = !stream.match(/^(?:\\"""|(?!""").)*"""/);
      if (state.inBlock) stream.skipToEnd();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^\$\w*/)) return "variableName";
    if (stream.match(/^@\w*/)) return "meta";
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
    if (bracket(stream, state)) return "bracket";
    if (stream.match("...")) {
      if (stream.match(/^\s*on\b/, false)) state.isBeforeOn = true;
      return "operator";
    }
    if ((state.depth === 0 || state.isBeforeOn) && stream.match(keywords)) {
      state.isBeforeOn = false;
      return "keyword";
    }
    if (stream.match(/^(?:true|false|null)\b/)) return "bool";
    if (stream.match(/^[A-Z]\w*/)) return "typeName";
    if (stream.match(/^\w+(?=\s*:)/)) return "attributeName";
    if (stream.match(/^\w+/)) return "propertyName";
    stream.next();
    return "punctuation";
  },
});

const json = StreamLanguage.define({
  name: "json",
  startState: () => ({ depth: 0 }),
  copyState: (state) => ({ ...state }),
  indent: indentation,
  languageData: { closeBrackets: { brackets: ["[", "{", '"'] } },
  token(stream, state) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^"(?:[^"\\]|\\.)*"(?=\s*:)/)) return "attributeName";
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return "number";
    if (stream.match(/^(?:true|false|null)\b/)) return "bool";
    if (bracket(stream, state)) return "bracket";
    stream.next();
    return "punctuation";
  },
});

const scriptWords = new RegExp(`^(?:${[
  "async", "await", "break", "case", "catch", "class", "const", "continue", "default", "do", "else", "false", "finally", "for", "function",
  "if", "in", "let", "new", "null", "of", "return", "switch", "this", "throw", "true", "try", "typeof", "undefined", "var", "void", "while",
].join("|")})\\b`);

const script = StreamLanguage.define({
  name: "script",
  startState: () => ({ depth: 0, end: null }),
  copyState: (state) => ({ ...state }),
  indent: indentation,
  languageData: { commentTokens: { line: "\/\/" }, closeBrackets: { brackets: ["(", "[", "{", '"', "'", "`"] } },
  token(stream, state) {
    // A comment or a template that goes on from line to line.
    if (state.end !== null) {
      const isComment = state.end === "*/";
      if (stream.match(isComment ? /^.*?\*\// : /^(?:[^`\\]|\\.)*`/)) state.end = null;
      else stream.skipToEnd();
      return isComment ? "comment" : "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^\/\/.*/)) return "comment";
    if (stream.match("/*") || stream.match("`")) {
      state.end = stream.current() === "`" ? "`" : "*/";
      return state.end === "`" ? "string" : "comment";
    }
    if (stream.match(/^"(?:[^"\\]|\\.)*"?|^'(?:[^'\\]|\\.)*'?/)) return "string";
    if (stream.match(/^\d[\w.]*/)) return "number";
    if (stream.match(scriptWords)) return "keyword";
    if (bracket(stream, state)) return "bracket";
    if (stream.match(/^[\w$]+/)) return "propertyName";
    stream.next();
    return "punctuation";
  },
});

const colours = syntaxHighlighting(HighlightStyle.define([
  { tag: [tags.propertyName], class: "t-field" },
  { tag: [tags.attributeName], class: "t-key" },
  { tag: [tags.string], class: "t-string" },
  { tag: [tags.number], class: "t-number" },
  { tag: [tags.keyword, tags.bool], class: "t-word" },
  { tag: [tags.typeName], class: "t-type" },
  { tag: [tags.variableName, tags.meta], class: "t-variable" },
  { tag: [tags.comment], class: "t-comment" },
]));

export const graphqlColours = [graphql, colours];
export const jsonColours = [json, colours];
export const scriptColours = [script, colours];
