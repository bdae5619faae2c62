// The edges between the panels: dragged, or moved by the arrow keys; a double click resets one. Their positions are stored.

import { recall, remember } from "./memory.js";

const [least, most] = [10, 80];
const step = 2;

/** Lets every separator set the size of the panel that it controls, in percent of its container. */
export function moveEdges() {
  const shares = { ...recall("edges") };
  for (const edge of document.querySelectorAll('[role="separator"]')) {
    const panel = document.getElementById(edge.getAttribute("aria-controls"));
    const [size, at] = edge.ariaOrientation === "vertical" ? ["width", "clientX"] : ["height", "clientY"];
    const isBefore = panel.compareDocumentPosition(edge) === Node.DOCUMENT_POSITION_FOLLOWING;
    const percent = (pixels) => (pixels / edge.parentElement.getBoundingClientRect()[size]) * 100;
    const share = () => percent(panel.getBoundingClientRect()[size]);

    const set = (wanted) => {
      // The panel on the other side keeps a minimum size too.
      const other = (isBefore ? edge.nextElementSibling : edge.previousElementSibling).getBoundingClientRect()[size];
      shares[panel.id] = Math.max(least, Math.min(wanted, share() + percent(other) - least));
      show();
    };
    const show = () => {
      const value = shares[panel.id];
      if (Number.isFinite(value)) edge.parentElement.style.setProperty(`--${panel.id}`, `${value}%`);
      else edge.parentElement.style.removeProperty(`--${panel.id}`);
      edge.ariaValueNow = String(Math.round(value ?? share()));
    };

    let began;
    edge.addEventListener("pointerdown", (event) => {
      began = { at: event[at], share: share() };
      edge.setPointerCapture(event.pointerId);
      event.preventDefault();
      edge.focus();
    });
    edge.addEventListener("pointermove", (event) => {
      if (!edge.hasPointerCapture(event.pointerId)) return;
      const moved = percent(event[at] - began.at);
      set(began.share + (isBefore ? moved : -moved));
    });
    edge.addEventListener("pointerup", () => remember("edges", shares));
    edge.addEventListener("dblclick", () => {
      delete shares[panel.id];
      show();
      remember("edges", shares);
    });
    edge.addEventListener("keydown", ({ key }) => {
      const forward = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
      if (forward === undefined) return;
      set(share() + (isBefore ? forward : -forward) * step);
      remember("edges", shares);
    });
    // The initial position is in the page, because measuring it would delay the page.
    if (shares[panel.id] >= least && shares[panel.id] <= most) show();
  }
}
