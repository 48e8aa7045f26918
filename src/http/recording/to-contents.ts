import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { RecordedMessage, RequestContents } from "../../core/serving.ts";
import type { BodyOmission } from "../../models/answered-request.ts";
import { maskAddress, maskHeader, maskJson } from "./mask-secrets.ts";
import type { RecordedRequest } from "./recorder.ts";

/** Masks secrets. */
export function toContents({ answer, request, startedOn }: RecordedRequest): RequestContents {
  return {
    started_on: startedOn,
    query: toQuery({ request }),
    // The recorder keeps the decoded body.
    request: toMessage(toSentHeaders(request), request, {
      coding: undefined,
      isUnread: hasBody(request) && request.bytes === 0,
    }),
    answer: toMessage(toHeaders(answer.head), answer, {
      coding: findHeader(answer.head, "content-encoding"),
      isUnread: false,
    }),
  };
}

/** Masks secrets. */
export const toQuery = ({ request }: Pick<RecordedRequest, "request">): string =>
  maskAddress(toAddress(request.url, request.headers.host)).search.slice(1);

const hasBody = ({ headers }: RecordedRequest["request"]) =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

interface Header {
  name: string;
  value: string;
}

function toMessage(
  headers: readonly Header[],
  { body, bytes }: { body: Uint8Array | null; bytes: number },
  { coding, isUnread }: { coding: string | undefined; isUnread: boolean },
): RecordedMessage {
  const mimeType = headers.find(({ name }) => name === "content-type")?.value;
  const none = { text: null, omitted: isUnread ? ("not_read" as const) : null };
  const text = bytes === 0 ? none : toMaskedText(body, { mimeType, coding });
  return {
    headers: Object.fromEntries(headers.map(maskHeader).map(({ name, value }) => [name, value])),
    body: text.text,
    body_bytes: bytes,
    body_omitted: text.omitted,
  };
}

export function toSentHeaders({ headers }: RecordedRequest["request"]): Header[] {
  return Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
}

export function toHeaders(head: readonly string[]): Header[] {
  const headers: Header[] = [];
  for (let at = 0; at < head.length; at += 2)
    headers.push({ name: head[at] ?? "", value: head[at + 1] ?? "" });
  return headers;
}

export const findHeader = (head: readonly string[], wanted: string): string | undefined =>
  toHeaders(head).find(({ name }) => name === wanted)?.value;

/** A client may send an invalid Host. */
export function toAddress(url: string, host = "localhost"): URL {
  const base = `http://${host}`;
  return URL.canParse(url, base)
    ? new URL(url, base)
    : new URL(`http://localhost/${url.replace(/^\/+/, "")}`);
}

/** Masked text, or the reason for its absence. */
export type BodyText = { text: string; omitted: null } | { text: null; omitted: BodyOmission };

interface BodyForm {
  mimeType: string | undefined;
  /** The content coding that it still has. */
  coding: string | undefined;
}

/** null is a body that was too long. Omits text other than JSON. */
export function toMaskedText(
  body: Uint8Array | null,
  { coding, mimeType = "application/json" }: BodyForm,
): BodyText {
  if (body === null) return { text: null, omitted: "too_long" };
  if (!/^application\/(?:[\w.]+\+)?json/i.test(mimeType)) return { text: null, omitted: "not_json" };
  try {
    return { text: maskJson(decode(body, coding).toString("utf8")), omitted: null };
  } catch (error) {
    const isTooLong = error instanceof RangeError && "code" in error;
    return { text: null, omitted: isTooLong ? "too_long" : "not_json" };
  }
}

const options = { maxOutputLength: 1024 * 1024 };

function decode(body: Uint8Array, coding: string | undefined): Buffer {
  if (coding === undefined) return Buffer.from(body);
  return coding === "br" ? brotliDecompressSync(body, options) : gunzipSync(body, options);
}
