// Loaded before the page is painted, and therefore not a module: the default theme must not flash before the chosen one.
"use strict";
(() => {
  const root = document.documentElement;
  const key = `${root.dataset.application}.theme`;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = () => root.dataset.theme ?? (system.matches ? "dark" : "light");

  try {
    const chosen = localStorage.getItem(key);
    if (chosen === "light" || chosen === "dark") root.dataset.theme = chosen;
  } catch { /* storage is switched off: the system's theme it is */ }

  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const label = () => { button.textContent = current() === "dark" ? "Light theme" : "Dark theme"; };
    label();
    system.addEventListener("change", label);
    button.addEventListener("click", () => {
      root.dataset.theme = current() === "dark" ? "light" : "dark";
      label();
      try { localStorage.setItem(key, root.dataset.theme); } catch { /* it lasts until the page is closed */ }
    });
  });
})();
