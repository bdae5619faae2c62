// Addresses in a result: links to them, and the pictures among them as thumbnails.

import { Decoration, EditorView, StateField } from "./codemirror.js";

/** The maximum number of links and of thumbnails: a result can have thousands. */
const [mostLinks, mostPictures] = [2000, 30];
const address = /"(https?:\/\/[^"\\\s]+)"/g;

/** Turns every address in a JSON text into a link, which opens in another tab. */
export const links = StateField.define({
  create: ({ doc }) => marks(doc.toString()),
  update: (found, { docChanged, newDoc }) => (docChanged ? marks(newDoc.toString()) : found),
  provide: (field) => EditorView.decorations.from(field),
});

function marks(text) {
  return Decoration.set(Array.from(text.matchAll(address)).slice(0, mostLinks).map(({ 1: href, index }) => Decoration.mark({
    tagName: "a", class: "t-string", attributes: { href, target: "_blank", rel: "noopener noreferrer" },
  }).range(index + 1, index + 1 + href.length)));
}

/** Shows the pictures of this origin whose addresses are in a JSON text. Those of other origins are not loaded: see the page's policy. */
export function showPictures(list, text) {
  const isPicture = (href) => URL.canParse(href) && new URL(href).origin === location.origin
    && /\.(?:avif|gif|heic|jpe?g|png|svg|webp)$/i.test(new URL(href).pathname);
  const found = new Set(Array.from(text.matchAll(address), ([, href]) => href).filter(isPicture));
  const shown = [...found].slice(0, mostPictures);
  list.replaceChildren(...shown.map((href, place) => {
    const item = document.createElement("li");
    const link = document.createElement("a");
    const picture = document.createElement("img");
    Object.assign(link, { href, target: "_blank", rel: "noopener noreferrer" });
    Object.assign(picture, { src: href, alt: `Picture ${place + 1} of ${found.size}`, loading: "lazy", width: 48, height: 48 });
    link.append(picture);
    item.append(link);
    return item;
  }));
  list.hidden = shown.length === 0;
}
