// Tabbed panels: arrow keys move among the tabs, and each shows the panel that it controls.

/** Lets a list of tabs show their panels; `shown(id)` is called with the panel's id. Returns a function that shows one by id. */
export function tabbed(list, shown = () => {}) {
  const tabs = [...list.querySelectorAll('[role="tab"]')];
  const select = (tab) => {
    for (const other of tabs) {
      const isSelected = other === tab;
      other.setAttribute("aria-selected", String(isSelected));
      other.tabIndex = isSelected ? 0 : -1;
      document.getElementById(other.getAttribute("aria-controls")).hidden = !isSelected;
    }
    shown(tab.getAttribute("aria-controls"));
  };
  list.addEventListener("click", ({ target }) => {
    const tab = target.closest('[role="tab"]');
    if (tab) select(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const place = tabs.indexOf(document.activeElement);
    if (step === undefined || place < 0) return;
    event.preventDefault();
    const tab = tabs[(place + step + tabs.length) % tabs.length];
    tab.focus();
    select(tab);
  });
  return (id) => select(tabs.find((tab) => tab.getAttribute("aria-controls") === id));
}
