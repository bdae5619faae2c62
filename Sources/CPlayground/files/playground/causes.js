// Which mutation of this page caused which event. A server that tells it lists the positions of the events that a mutation stored;
// subscribers receive each event with its position. Nothing is concluded from times.

const most = 1000;
const mutations = new Map();
const events = new Map();
const waiting = new Map();

/** Sends a "change" event when a subscription of the page has received an event that a mutation of the page caused. */
export const causes = new EventTarget();

/** Notes the positions of the events that a mutation stored. */
export function noteMutation(name, positions) {
  for (const position of positions) {
    keep(mutations, position, name);
    waiting.get(position)?.(name);
    waiting.delete(position);
  }
}

/** Notes an event that a subscription received. `tell(name)` is called with the mutation that caused it, if that is known or becomes so. */
export function noteEvent(position, event, tell) {
  if (position === undefined) return;
  keep(events, position, { ...event, at: performance.now() });
  if (mutations.has(position)) tell(mutations.get(position));
  else keep(waiting, position, tell);
  causes.dispatchEvent(new Event("change"));
}

/** The event at a position, { name, payload, at }, or undefined if no subscription of the page has received it. */
export const eventAt = (position) => events.get(position);

function keep(map, key, value) {
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value);
}
