import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** A request has 30 s. Then the server must answer 408 and close the connection within a few seconds. */
const dripMsAim = 35_000;
/** A busy machine may be late, but a connection open after this time was forgotten. */
const dripMsMax = 60_000;
const byteEveryMs = 1_000;
const atOnce = 100;

/**
 * Opens `count` connections that send one byte a second of a request, half of them in its headers and half in its
 * body, until the server closes them or the time ends. Returns their number, the number `left` open, the numbers of
 * 408 and other answers, and the milliseconds until the last connection closed.
 */
export async function dripMany(url, { headers, path }, count) {
  const { hostname, port } = new URL(url);
  const who = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const start = `HTTP/1.1\r\nhost: x\r\n${who.join("")}`;
  const heads = [
    `GET ${path} ${start}x-slow: `,
    `POST ${path} ${start}content-type: application/json\r\ncontent-length: 5000\r\n\r\n{`,
  ];
  const told = { count: 0, left: 0, told408: 0, otherwise: 0, longestMs: 0 };
  const sockets = new Set();
  const dripping = setInterval(() => {
    for (const socket of sockets) socket.write(" ");
  }, byteEveryMs);
  let lastAt = performance.now();
  for (; told.count < count; told.count++) {
    // A listener accepts only this many connections at once.
    if (told.count % atOnce === 0) await sleep(20);
    sockets.add(startDrip({ hostname, port: Number(port) }, heads[told.count % 2], { sockets, told }));
    lastAt = performance.now();
  }
  while (sockets.size > 0 && performance.now() - lastAt < dripMsMax) await sleep(100);
  clearInterval(dripping);
  told.left = sockets.size;
  for (const socket of sockets) socket.destroy();
  return told;
}

function startDrip(address, head, { sockets, told }) {
  const startedAt = performance.now();
  const socket = connect(address.port, address.hostname);
  socket.write(head);
  socket.on("data", (chunk) => {
    const text = chunk.toString("latin1");
    if (text.startsWith("HTTP/1.1 408")) told.told408 += 1;
    else if (text.startsWith("HTTP/1.1")) told.otherwise += 1;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    sockets.delete(socket);
    told.longestMs = Math.max(told.longestMs, performance.now() - startedAt);
  });
  return socket;
}

/** Reports a late end, which a busy machine may cause. */
export function toAim({ longestMs }) {
  return longestMs > dripMsAim ? `; beyond the aim: ${dripMsAim / 1000} s` : "";
}

/** Returns what is wrong with the handling of slow senders. */
export function judgeDrips({ count, left, otherwise, told408 }) {
  return [
    ...(left > 0 ? [`${left} of ${count} dripping connections are open after ${dripMsMax / 1000} s`] : []),
    ...(otherwise > 0 ? [`${otherwise} of ${count} dripping connections are answered other than 408`] : []),
    ...(told408 > 0 ? [] : ["no dripping connection gets 408"]),
  ];
}
