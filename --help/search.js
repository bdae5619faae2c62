// Finds sections that contain every word of the query. The index is a script, since pages opened from a disk cannot
// fetch files.
const field = document.getElementById("search");
const list = document.getElementById("results");
const up = document.body.dataset.up;
const fold = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const sections = searchIndex.map(([page, heading, link, text]) => ({
  page, heading, link, text, title: fold(`${heading} ${page}`), all: fold(`${page} ${heading} ${text}`),
}));

function search(query) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const score = (section) => words.filter((word) => section.title.includes(word)).length * 2
    + (fold(section.heading) === words.join(" ") ? 5 : 0);
  return sections.filter((section) => words.every((word) => section.all.includes(word)))
    .map((section) => [score(section), section]).sort((a, b) => b[0] - a[0]).slice(0, 12).map(([, section]) => section);
}

function show() {
  const found = search(field.value);
  list.replaceChildren(...found.map(({ page, heading, link, text }) => {
    const item = document.createElement("li");
    const anchor = document.createElement("a");
    anchor.href = `${up}/${link}`;
    const strong = document.createElement("strong");
    strong.textContent = heading === page ? page : `${heading} – ${page}`;
    anchor.append(strong, text.slice(0, 110));
    item.append(anchor);
    return item;
  }));
  if (!found.length && field.value.trim()) list.textContent = "Nothing was found.";
  list.hidden = !field.value.trim();
}

field.addEventListener("input", show);
field.addEventListener("keydown", (event) => {
  if (event.key === "Escape") { field.value = ""; show(); }
  if (event.key === "Enter") list.querySelector("a")?.click();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && document.activeElement === document.body) { event.preventDefault(); field.focus(); }
});
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) list.hidden = true; });

// On a wide screen the navigation is always open.
const navigation = document.querySelector("details.navigation");
const wide = matchMedia("(min-width: 60rem)");
const adapt = () => { navigation.open = wide.matches; };
wide.addEventListener("change", adapt);
adapt();
navigation.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
