// A text area with line numbers, indenting, and undo that survives being filled by the page.

const indent = "  ";

export class Editor {
  #field;
  #gutter;
  #lines = 0;
  #leaving = false;

  /** `changed` is called after each change of the text, `moved` whenever the caret may have moved. */
  constructor(field, { changed = () => {}, moved = () => {} } = {}) {
    this.#field = field;
    this.#gutter = field.parentElement.querySelector(".gutter");
    field.addEventListener("input", () => {
      this.#number();
      changed();
    });
    field.addEventListener("scroll", () => { this.#gutter.scrollTop = field.scrollTop; });
    field.addEventListener("keydown", (event) => this.#pressed(event));
    for (const name of ["keyup", "click", "input"]) field.addEventListener(name, moved);
    this.#number();
  }

  get text() { return this.#field.value; }
  get caret() { return this.#field.selectionStart; }

  focus() { this.#field.focus(); }

  /** Marks the field as wrong, or as right again. */
  set invalid(wrong) { this.#field.setAttribute("aria-invalid", String(wrong)); }

  /** Replaces the whole text, as an edit that can be undone; the focus stays where it was. */
  fill(text) {
    const focused = document.activeElement;
    this.#field.focus({ preventScroll: true });
    this.#field.select();
    this.#insert(text);
    this.#field.setSelectionRange(0, 0);
    this.#field.scrollTop = 0;
    focused?.focus?.({ preventScroll: true });
  }

  /** Puts the caret at a line and column, both counted from 1, and brings it into sight. */
  show(line, column) {
    const lines = this.text.split("\n");
    const row = Math.min(Math.max(line, 1), lines.length) - 1;
    const start = lines.slice(0, row).reduce((sum, { length }) => sum + length + 1, 0);
    const offset = start + Math.min(Math.max(column, 1) - 1, lines[row].length);
    const word = /^\w*/.exec(this.text.slice(offset))[0];
    this.#field.focus();
    this.#field.setSelectionRange(offset, offset + word.length);
    const { lineHeight } = getComputedStyle(this.#field);
    this.#field.scrollTop = Math.max(0, row * parseFloat(lineHeight) - this.#field.clientHeight / 2);
  }

  #pressed(event) {
    const leaving = this.#leaving;
    if (event.key !== "Shift") this.#leaving = event.key === "Escape";
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Tab" && !leaving) {
      event.preventDefault();
      this.#indentLines(event.shiftKey);
    } else if (event.key === "Enter") {
      event.preventDefault();
      this.#newLine();
    }
  }

  #newLine() {
    const before = this.text.slice(0, this.caret);
    const after = this.text.slice(this.#field.selectionEnd);
    const margin = /[ \t]*$/.exec(/(?:^|\n)([ \t]*)[^\n]*$/.exec(before)[1])[0];
    const opens = /[{([]\s*$/.test(before);
    const closes = /^\s*[})\]]/.test(after);
    this.#insert(`\n${margin}${opens ? indent : ""}`);
    if (opens && closes && !/^\s*\n/.test(after)) {
      const caret = this.caret;
      this.#insert(`\n${margin}`);
      this.#field.setSelectionRange(caret, caret);
    }
  }

  #indentLines(outwards) {
    const { selectionStart: start, selectionEnd: end } = this.#field;
    const selected = this.text.slice(start, end);
    if (!outwards && !selected.includes("\n")) {
      this.#insert(indent);
      return;
    }
    const first = this.text.lastIndexOf("\n", start - 1) + 1;
    const lines = this.text.slice(first, end);
    const moved = outwards ? lines.replace(/^(?: {1,2}|\t)/gm, "") : lines.replace(/^(?=.)/gm, indent);
    if (moved === lines) return;
    this.#field.setSelectionRange(first, end);
    this.#insert(moved);
    const shift = moved.length - lines.length;
    if (selected.includes("\n")) this.#field.setSelectionRange(first, end + shift);
    else this.#field.setSelectionRange(Math.max(first, start + shift), Math.max(first, end + shift));
  }

  /** Puts text in the place of what is selected. execCommand is the one way to do so that keeps the field's undo. */
  #insert(text) {
    const done = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
    if (done) return;
    this.#field.setRangeText(text, this.#field.selectionStart, this.#field.selectionEnd, "end");
    this.#field.dispatchEvent(new Event("input"));
  }

  #number() {
    const lines = this.text.split("\n").length;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.#gutter.textContent = Array.from({ length: lines }, (_, line) => line + 1).join("\n") + "\n\n";
    this.#gutter.scrollTop = this.#field.scrollTop;
  }
}
