import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { operationTable } from "../../operations/operation-table.ts";
import { type Call, toClientCode, toCommand, toCurl } from "../copies.ts";
import { serviceUrl } from "../session/session.ts";

export function CallCopies({ call, curl = toCurl }: { call: Call; curl?: typeof toCurl }): JSX.Element {
  const template = operationTable[call.operation]?.path;
  return (
    <>
      <CopyButton name="curl" text={() => curl(serviceUrl, call)} />
      <CopyButton name="dispatch-cli" text={() => toCommand(serviceUrl, call)} />
      {template !== undefined && (
        <CopyButton name="client code" text={() => toClientCode(serviceUrl, call, template)} />
      )}
    </>
  );
}

/** Plain HTTP has no clipboard, so the button shows the text for copying by hand. */
function CopyButton({ name, text }: { name: string; text: () => string }): JSX.Element {
  const outcome = useSignal<"" | "copied" | "by hand">("");
  const copy = () => {
    navigator.clipboard
      // The type says that it always exists, but an insecure page has none.
      ?.writeText(text())
      .then(() => "copied" as const)
      .catch(() => "by hand" as const)
      .then((done) => {
        outcome.value = done;
      });
    if (!navigator.clipboard) outcome.value = "by hand";
  };
  return (
    <>
      <button type="button" onClick={copy}>
        {outcome.value === "copied" ? `Copied as ${name}` : `Copy as ${name}`}
      </button>
      {outcome.value === "by hand" && <ByHand name={name} text={text()} />}
    </>
  );
}

function ByHand({ name, text }: { name: string; text: string }): JSX.Element {
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
  return (
    <textarea ref={box} class="by-hand" readOnly rows={5} aria-label={`To copy: ${name}`} value={text} />
  );
}
