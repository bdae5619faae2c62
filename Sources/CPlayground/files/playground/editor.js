// The base of all editors: CodeMirror with its keys, brackets, folding and styles.

import {
  EditorState, EditorView, Prec, bracketMatching, closeBrackets, closeBracketsKeymap, codeFolding, completionKeymap,
  defaultKeymap, drawSelection, foldGutter, foldKeymap, foldService, highlightActiveLine, highlightSelectionMatches,
  highlightSpecialChars, history, historyKeymap, indentOnInput, indentUnit, indentWithTab, keymap, lineNumbers, placeholder,
  searchKeymap,
} from "./codemirror.js";

/** A line with an opening bracket folds up to the closing bracket. */
const folding = foldService.of((state, start, end) => {
  const opening = /[[{(]\s*$/.exec(state.doc.sliceString(start, end));
  if (opening === null) return null;
  const from = start + opening.index + 1;
  const margin = /^\s*/.exec(state.doc.sliceString(start, end))[0].length;
  for (let number = state.doc.lineAt(start).number + 1; number <= state.doc.lines; number += 1) {
    const line = state.doc.line(number);
    const closing = /^(\s*)[\])}]/.exec(line.text);
    if (closing !== null && closing[1].length <= margin) return { from, to: line.from + closing[1].length };
  }
  return null;
});

/** Replacing a selection, the browser would copy its inline style, which the security policy rejects. So the editor inserts the text. */
const typingOver = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { from, to, empty } = view.state.selection.main;
    if (empty || event.isComposing || event.inputType !== "insertText" || !event.data) return false;
    event.preventDefault();
    const insert = () => view.state.update(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    const isHandled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, event.data, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--text)", backgroundColor: "var(--surface)", fontSize: "var(--code-size)" },
  "&.cm-focused": { outline: "none" }, // the frame around it shows the focus
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.55", overflow: "auto" },
  ".cm-content": { padding: ".6rem 0", caretColor: "var(--text)" },
  ".cm-gutters": { backgroundColor: "var(--surface)", color: "var(--quiet)", border: "0" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--line-ground)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--selected)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--match)", outline: "1px solid var(--edge)" },
  "&.cm-focused .cm-nonmatchingBracket": { backgroundColor: "transparent", color: "var(--error)" },
  ".cm-searchMatch": { backgroundColor: "var(--match)", outline: "1px solid var(--edge)" },
  ".cm-searchMatch.cm-searchMatch-selected": { backgroundColor: "var(--selected)" },
  ".cm-selectionMatch": { backgroundColor: "var(--match)" },
  ".cm-foldPlaceholder": { backgroundColor: "transparent", border: "1px solid var(--edge)", color: "var(--quiet)" },
  ".cm-placeholder": { color: "var(--quiet)" },
  ".cm-panels": { backgroundColor: "var(--surface)", color: "var(--text)" },
  ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
  ".cm-panel.cm-search": { display: "flex", flexWrap: "wrap", alignItems: "center", gap: ".35rem", padding: ".4rem 2.4rem .4rem .5rem" },
  ".cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search :is(input, button, label)": { margin: "0", fontSize: ".85rem" },
  ".cm-panel.cm-search :is(.cm-textfield, .cm-button)": { minHeight: "1.9rem", padding: ".1rem .5rem", borderRadius: "7px" },
  ".cm-panel.cm-search .cm-textfield": { flex: "1 1 5.5rem", width: "auto" },
  ".cm-panel.cm-search label": { display: "inline-flex", alignItems: "center", gap: ".3rem" },
  ".cm-panel.cm-search [name=close]": { top: ".35rem", right: ".4rem", width: "1.9rem", fontSize: "1.1rem", cursor: "pointer" },
  ".cm-textfield, .cm-button": {
    backgroundColor: "var(--surface)", backgroundImage: "none", border: "1px solid var(--edge)", color: "var(--text)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)", color: "var(--text)", border: "1px solid var(--edge)", borderRadius: "8px",
    boxShadow: "0 6px 24px rgb(0 0 0 / .18)", maxWidth: "min(34rem, 90vw)",
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul": { fontFamily: "var(--mono)", fontSize: ".85rem", maxHeight: "16rem", borderRadius: "7px" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: ".2rem .6rem", lineHeight: "1.5" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--button)", color: "var(--button-text)" },
  ".cm-completionDetail": { fontStyle: "normal", opacity: ".85" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  // Beside the list, or below it in a narrow window: the list must not clip what overflows it.
  ".cm-tooltip.cm-completionInfo": {
    padding: ".5rem .7rem", fontFamily: "system-ui, sans-serif", fontSize: ".85rem", lineHeight: "1.45",
    width: "max-content", maxWidth: "min(22rem, 80vw)", maxHeight: "16rem", overflow: "auto", whiteSpace: "normal",
  },
});

/**
 * An editor that replaces the content of an element.
 *   label       its accessible name
 *   language    syntax highlighting and other support for its language
 *   keys        key bindings that come before the editor's own
 *   changed     called with the text after each change, `moved` with the caret's offset when it may have moved
 */
export class Editor {
  #extensions;
  #changed;

  constructor(parent, { label, language, text = "", hint = "", keys = [], isReadOnly = false, changed, moved, more = [] }) {
    this.#changed = changed;
    this.#extensions = [
      Prec.highest(keymap.of(keys)),
      lineNumbers(), foldGutter({ openText: "▾", closedText: "▸" }), codeFolding(), folding, highlightSpecialChars(), bracketMatching(),
      highlightSelectionMatches(), drawSelection(), indentUnit.of("  "), EditorState.tabSize.of(2),
      isReadOnly
        ? [EditorState.readOnly.of(true), EditorView.editable.of(false), EditorView.lineWrapping]
        : [history(), indentOnInput(), closeBrackets(), highlightActiveLine()],
      keymap.of([
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...foldKeymap, ...completionKeymap,
        ...(isReadOnly ? [] : [indentWithTab]),
      ]),
      hint === "" ? [] : placeholder(hint),
      EditorView.contentAttributes.of({
        "aria-label": label, "aria-multiline": "true", role: "textbox", tabindex: "0", spellcheck: "false", autocapitalize: "off",
        ...(isReadOnly ? { "aria-readonly": "true" } : { "aria-describedby": "editing-keys" }),
      }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) changed?.(this.text);
        if (update.docChanged || update.selectionSet) moved?.(this.caret);
      }),
      typingOver, look, language, more,
    ];
    this.view = new EditorView({ parent, state: this.#state(text) });
  }

  #state(text) { return EditorState.create({ doc: text, extensions: this.#extensions }); }

  get text() { return this.view.state.doc.toString(); }
  get caret() { return this.view.state.selection.main.head; }
  get selected() { return this.view.state.sliceDoc(this.view.state.selection.main.from, this.view.state.selection.main.to); }

  focus() { this.view.focus(); }

  /** Replaces the entire text, as a single edit that can be undone. */
  fill(text, { caret = 0 } = {}) {
    if (text === this.text) return;
    const { length } = this.view.state.doc;
    this.view.dispatch({
      changes: { from: 0, to: length, insert: text }, selection: { anchor: Math.min(caret, text.length) }, userEvent: "fill",
    });
  }

  /**
   * Shows another text, which is not an edit and cannot be undone. `state` restores its earlier state, including its undo
   * history. Returns the state of the previous text.
   */
  turnTo(text, state) {
    const former = this.view.state;
    this.view.setState(state?.doc.toString() === text ? state : this.#state(text));
    this.#changed?.(text);
    return former;
  }

  /** Applies changes, each { from, to, insert }. */
  change(changes, caret) {
    this.view.dispatch({ changes, ...(caret === undefined ? {} : { selection: { anchor: caret } }), scrollIntoView: true });
  }

  /** The offset of a line and column, both counted from 1. */
  offset(line, column) {
    const { doc } = this.view.state;
    const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
    return Math.min(found.from + Math.max(column, 1) - 1, found.to);
  }

  /** The line and column of an offset, both counted from 1. */
  place(offset) {
    const line = this.view.state.doc.lineAt(Math.min(Math.max(0, offset), this.view.state.doc.length));
    return { line: line.number, column: offset - line.from + 1 };
  }

  /** Moves the caret to a line and column and scrolls it into view. */
  show(line, column) {
    const anchor = this.offset(line, column);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    this.focus();
  }
}
