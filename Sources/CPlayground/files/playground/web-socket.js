// A subscription over a WebSocket (graphql-transport-ws).

import { Silence } from "./silence.js";
import { passingError } from "./subscription.js";

const protocol = "graphql-transport-ws";
/** Sent after the subscription: the pong with its payload means that the subscription is active and no event is missed. */
const ping = { type: "ping", payload: { begin: true } };
/** Close codes after which reconnecting would fail again. */
const final = new Set([1002, 1007, 1009, 4400, 4401, 4403, 4406, 4409, 4429]);

/** Connects, and reports to `heard`, as Subscription describes. Returns a function that closes the connection. */
export function connectWebSocket({ request, authorization }, heard) {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}${document.documentElement.dataset.endpoint}`, protocol);
  const send = (message) => socket.send(JSON.stringify(message));
  const silence = new Silence(() => heard.lost(), () => {
    if (socket.readyState === WebSocket.OPEN) send({ type: "ping" });
  });
  let isListening = false;
  let isOver = false;
  const listening = () => {
    if (!isListening) heard.listening();
    isListening = true;
  };
  const end = (reason) => {
    isOver = true;
    socket.close(1000);
    heard.ended(reason);
  };
  const told = ({ type, payload }) => {
    const error = passingError(type === "error" ? { errors: payload } : payload);
    if (error) {
      isOver = true;
      heard.lost(undefined, error);
    } else if (type === "next") {
      listening();
      heard.event(payload, payload.extensions?.position);
    } else if (type === "error") {
      heard.event({ errors: payload });
      end("The server rejected the subscription.");
    } else if (type === "complete") {
      end("The subscription has ended.");
    }
  };
  socket.addEventListener("open", () => send({ type: "connection_init", payload: authorization === null ? {} : { authorization } }));
  socket.addEventListener("message", ({ data }) => {
    silence.heard();
    let message;
    try { message = JSON.parse(data); } catch { return; }
    if (message.type === "ping") {
      send({ type: "pong" });
    } else if (message.type === "connection_ack") {
      send({ id: "events", type: "subscribe", payload: request });
      send(ping);
      heard.started(message.payload?.position);
    } else if (message.type === "pong") {
      if (message.payload?.begin) listening();
    } else {
      told(message);
    }
  });
  socket.addEventListener("close", ({ code, reason }) => {
    isOver = true;
    // An access token that expired in the meantime is renewed for the next attempt.
    const isRenewable = isListening && reason.startsWith("TOKEN_EXPIRED");
    if (final.has(code) && !isRenewable) return heard.ended(reason || `The connection was closed (${code}).`);
    // A server that shuts down sends each client the delay before it reconnects.
    return heard.lost(/reconnect in (\d+) ms/.exec(reason)?.[1]);
  });
  return () => {
    silence.end();
    if (socket.readyState === WebSocket.OPEN && !isOver) send({ id: "events", type: "complete" });
    socket.close(1000);
  };
}
