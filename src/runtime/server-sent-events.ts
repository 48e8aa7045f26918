import { TooLongError } from "./read-bounded.ts";

/** See https://html.spec.whatwg.org/multipage/server-sent-events.html. */
export interface SentEvent {
  event: string;
  /** Resumes the stream. */
  id: string;
  data: string;
}

/** The texts must not contain line breaks. */
export function writeSentEvent({ data, event, id }: SentEvent): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

export function writePlace(place: { id?: string; retryMs?: number }): string {
  const retry = place.retryMs === undefined ? "" : `retry: ${Math.round(place.retryMs)}\n`;
  return `${retry}${place.id === undefined ? "" : `id: ${place.id}\n`}\n`;
}

/** Keeps both sides and proxies from closing the connection. */
export const heartbeat = ": keep-alive\n\n";

export interface StreamBlock {
  /** null for a block without an event. */
  event: { type: string; data: string } | null;
  lastEventId: string | null;
  retryMs: number | null;
}

/** An event has one record, and records are smaller. */
const eventCharactersMax = 16 * 1024 * 1024;

/** Returns the blocks that each piece completes. Throws TooLongError for a line or an event that is too long. */
export function createStreamReader(): (piece: string) => StreamBlock[] {
  /** The \r at the end of a piece may be half of a line break. */
  let held = "";
  let rest = "";
  let lastEventId: string | null = null;
  let retryMs: number | null = null;
  let type = "";
  let data: string[] = [];
  let characters = 0;
  const readField = (line: string) => {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") type = value;
    else if (name === "data") {
      data.push(value);
      characters += line.length;
    } else if (name === "id" && !value.includes("\0")) lastEventId = value;
    else if (name === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  };
  const endBlock = (): StreamBlock => {
    const event = data.length === 0 ? null : { type: type || "message", data: data.join("\n") };
    type = "";
    data = [];
    characters = 0;
    return { event, lastEventId, retryMs };
  };
  return (piece) => {
    const text = held + piece;
    held = text.endsWith("\r") ? "\r" : "";
    const [first = "", ...others] = text.slice(0, text.length - held.length).split(/\r\n|\n|\r/);
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? "";
    const blocks: StreamBlock[] = [];
    for (const line of lines) {
      if (line === "") blocks.push(endBlock());
      else readField(line);
    }
    if (characters + rest.length > eventCharactersMax) throw new TooLongError(eventCharactersMax);
    return blocks;
  };
}
