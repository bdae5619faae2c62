// What the playground uses of CodeMirror 6: Scripts/vendor-codemirror bundles these, and what they need, into one file.

export { Annotation, Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
export {
  Decoration, EditorView, drawSelection, gutter, GutterMarker, highlightActiveLine, highlightSpecialChars, hoverTooltip,
  keymap, lineNumbers, placeholder,
} from "@codemirror/view";
export {
  HighlightStyle, StreamLanguage, bracketMatching, codeFolding, foldAll, foldGutter, foldKeymap, foldService, indentOnInput,
  indentUnit, syntaxHighlighting, unfoldAll,
} from "@codemirror/language";
export {
  acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion,
} from "@codemirror/autocomplete";
export { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
export { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
export { tags } from "@lezer/highlight";
