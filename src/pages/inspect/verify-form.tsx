import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { portableHmac } from "../../webhooks/hmac-portable.ts";
import { type SignatureVerdict, verifyDelivery } from "../../webhooks/verify.ts";
import { messageOf } from "../session/keep-trying.ts";
import type { Delivery } from "./inspector.ts";
import { toVisible } from "./wire-text.tsx";

/** Verifies signatures in the page, with a secret that the page neither keeps nor sends. */
export function VerifyForm({
  request,
  sentOn,
}: {
  request: NonNullable<Delivery["request"]>;
  sentOn: string;
}): JSX.Element {
  const secret = useRef<HTMLInputElement>(null);
  const headers = useRef<HTMLTextAreaElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const verdict = useSignal<readonly string[]>([]);
  const verify = (event: SubmitEvent) => {
    event.preventDefault();
    try {
      const report = verifyDelivery(
        {
          acceptsLegacy: false,
          headers: parseHeaders(headers.current?.value ?? ""),
          body: new TextEncoder().encode(body.current?.value),
          secrets: [{ name: "this secret", text: secret.current?.value ?? "" }],
          now: sentOn,
          toleranceMs,
        },
        portableHmac,
      );
      verdict.value = report.signatures.map(toSentence);
    } catch (error) {
      verdict.value = [messageOf(error)];
    }
  };
  return (
    <details class="verify">
      <summary>Why did verification fail?</summary>
      <form onSubmit={verify}>
        <p class="quiet">
          Paste the headers and body that your receiver got, and its secret. They do not leave this page.
        </p>
        <label>
          Secret
          <input ref={secret} type="password" autocomplete="off" spellcheck={false} required />
        </label>
        <label>
          Headers
          <textarea ref={headers} rows={6} spellcheck={false} defaultValue={toLines(request.headers)} />
        </label>
        <label>
          Body
          <textarea ref={body} rows={6} spellcheck={false} defaultValue={request.body ?? ""} />
        </label>
        <button type="submit">Verify</button>
        <output>
          {verdict.value.map((sentence) => (
            <p key={sentence}>{toVisible(sentence)}</p>
          ))}
        </output>
      </form>
    </details>
  );
}

const toLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

/** The usual tolerance of receivers. */
const toleranceMs = 5 * 60 * 1000;

const toSentence = ({ holds, message, scheme }: SignatureVerdict) =>
  `${scheme} ${holds === null ? "is absent" : holds ? "holds" : "fails"}: ${message}`;

const parseHeaders = (text: string) =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, name, value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name.trim().toLowerCase(), value.trim()]];
    }),
  );
