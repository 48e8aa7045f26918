import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { portableHmac } from "../../library/hmac-portable.ts";
import { makeVerifyWebhook } from "../../library/verify-webhook.ts";
import { toEpochMs } from "../../runtime/clock.ts";
import { type Delivery, messageOf } from "./inspector.ts";

const verifyWebhook = makeVerifyWebhook(portableHmac);

/**
 * Asks why a receiver did not take a delivery: its signatures are verified here, by a secret that is typed in and neither
 * kept nor sent, and by headers and a body that can be replaced by what the receiver got.
 */
export function VerifyForm({
  request,
  sentOn,
}: {
  request: NonNullable<Delivery["request"]>;
  /** It is verified as if it were then. */
  sentOn: string;
}): JSX.Element {
  const secret = useRef<HTMLInputElement>(null);
  const headers = useRef<HTMLTextAreaElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const verdict = useSignal("");
  const verify = (event: SubmitEvent) => {
    event.preventDefault();
    try {
      verifyWebhook({
        secret: secret.current?.value ?? "",
        headers: parseHeaders(headers.current?.value ?? ""),
        body: body.current?.value ?? "",
        nowMs: toEpochMs(sentOn),
      });
      verdict.value = "The signature holds.";
    } catch (error) {
      verdict.value = messageOf(error);
    }
  };
  return (
    <details class="verify">
      <summary>Why did verification fail?</summary>
      <form onSubmit={verify}>
        <p class="quiet">
          Put in what your receiver got, and the secret that it has. Neither leaves this page.
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
        <output>{verdict.value}</output>
      </form>
    </details>
  );
}

const toLines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n");

const parseHeaders = (text: string) =>
  text.split("\n").flatMap((line): [string, string][] => {
    const at = line.indexOf(":");
    return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()]];
  });
