// Errors in a text: underlined, with the message on hover, marked at the line number, and listed for screen readers.

import { Decoration, EditorView, GutterMarker, StateEffect, StateField, gutter, hoverTooltip } from "../codemirror.js";

const setFaults = StateEffect.define();

const faultsField = StateField.define({
  create: () => [],
  update(faults, transaction) {
    for (const effect of transaction.effects) if (effect.is(setFaults)) return effect.value;
    if (!transaction.docChanged) return faults;
    return faults.map((fault) => ({
      ...fault, from: transaction.changes.mapPos(fault.from), to: transaction.changes.mapPos(fault.to, 1),
    })).filter(({ from, to }) => from <= to);
  },
  provide: (field) => EditorView.decorations.from(field, (faults) => Decoration.set(
    faults.filter(({ from, to }) => from < to)
      .map(({ from, to, message }) => Decoration.mark({ class: "fault", attributes: { "aria-invalid": "true", title: message } }).range(from, to)),
    true,
  )),
});

class FaultMarker extends GutterMarker {
  constructor(message) {
    super();
    this.message = message;
  }
  eq(other) { return other.message === this.message; }
  toDOM() {
    const mark = document.createElement("span");
    mark.className = "fault-mark";
    mark.textContent = "●";
    mark.title = this.message;
    return mark;
  }
}

const faultGutter = gutter({
  class: "fault-gutter",
  lineMarker(view, line) {
    const fault = view.state.field(faultsField).find(({ from }) => from >= line.from && from <= line.to);
    return fault ? new FaultMarker(fault.message) : null;
  },
  lineMarkerChange: (update) => update.startState.field(faultsField) !== update.state.field(faultsField),
});

const messages = hoverTooltip((view, position) => {
  const found = view.state.field(faultsField).filter(({ from, to }) => from <= position && position <= to);
  if (found.length === 0) return null;
  return {
    pos: found[0].from, end: Math.max(...found.map(({ to }) => to)), above: false,
    create() {
      const dom = document.createElement("div");
      dom.className = "hover-card fault-card";
      for (const { message } of found) {
        const paragraph = document.createElement("p");
        paragraph.textContent = message;
        dom.append(paragraph);
      }
      return { dom };
    },
  };
});

export const diagnostics = [faultsField, faultGutter, messages];

/** Shows errors, each { from, to, message }, instead of the previous ones. */
export function showFaults(view, faults) {
  const { length } = view.state.doc;
  const shown = faults.map(({ from, to, message }) => ({ from: Math.min(from, length), to: Math.min(to, length), message }));
  view.dispatch({ effects: setFaults.of(shown) });
}
