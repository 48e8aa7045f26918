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

/** Reads a stream as it arrives, cut anywhere. Gives the blocks that each piece completes; comments complete none. */
export function createStreamReader(): (piece: string) => StreamBlock[] {
  let rest = "";
  let lastEventId: string | null = null;
  let retryMs: number | null = null;
  let type = "";
  let data: string[] = [];
  const readField = (line: string) => {
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") type = value;
    else if (name === "data") data.push(value);
    else if (name === "id" && !value.includes("\0")) lastEventId = value;
    else if (name === "retry" && /^\d+$/.test(value)) retryMs = Number(value);
  };
  const endBlock = (): StreamBlock => {
    const event = data.length === 0 ? null : { type: type || "message", data: data.join("\n") };
    type = "";
    data = [];
    return { event, lastEventId, retryMs };
  };
  return (piece) => {
    // A \r at the end may be the first half of a line break.
    const text = rest + piece;
    const whole = text.endsWith("\r") ? text.slice(0, -1) : text;
    const lines = whole.split(/\r\n|\n|\r/);
    rest = (lines.pop() ?? "") + text.slice(whole.length);
    const blocks: StreamBlock[] = [];
    for (const line of lines) {
      if (line === "") blocks.push(endBlock());
      else readField(line);
    }
    return blocks;
  };
}
