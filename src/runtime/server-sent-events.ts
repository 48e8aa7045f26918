import { TooLongError } from "./read-bounded.ts";

/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface SentEvent {
  /** Its kind. */
  event: string;
  /** Where the stream can be resumed behind it. */
  id: string;
  data: string;
}

/** Writes an event; none of its texts has a line break. */
export function writeSentEvent({ data, event, id }: SentEvent): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`;
}

/** Says where the stream can be resumed, and after how many milliseconds. */
export function writePlace(place: { id?: string; retryMs?: number }): string {
  const retry = place.retryMs === undefined ? "" : `retry: ${Math.round(place.retryMs)}\n`;
  return `${retry}${place.id === undefined ? "" : `id: ${place.id}\n`}\n`;
}

/** Something to read, so that both sides and all between them know that the other is there. */
export const heartbeat = ": keep-alive\n\n";

/** What a stream has said by the end of a block. */
export interface StreamBlock {
  /** null where the block holds none. */
  event: { type: string; data: string } | null;
  /** The last id that the stream has named; null before the first. */
  lastEventId: string | null;
  /** The last time to wait that it has named; null before the first. */
  retryMs: number | null;
}

/** The most characters of one event: an event holds one record, and a record has fewer. */
const eventCharactersMax = 16 * 1024 * 1024;

/**
 * Reads a stream as it arrives, cut anywhere. Gives the blocks that each piece completes; comments complete none. Throws
 * TooLongError for a line or an event that is too long.
 */
export function createStreamReader(): (piece: string) => StreamBlock[] {
  /** A \r at the end of a piece, which may be the first half of a line break. */
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
