import type { JSX } from "preact";
import { serviceUrl } from "../session/session.ts";
import { type Call, toClientCode, toCommand, toCurl } from "./copies.ts";
import { CopyButton } from "./copy-button.tsx";

/** A request to be made again, from a shell or from a program. */
export function CallCopies({ call, curl = toCurl }: { call: Call; curl?: typeof toCurl }): JSX.Element {
  const code = toClientCode(serviceUrl, call);
  return (
    <>
      <CopyButton name="curl" text={() => curl(serviceUrl, call)} />
      <CopyButton name="dispatch-cli" text={() => toCommand(serviceUrl, call)} />
      {code !== null && <CopyButton name="client code" text={() => code} />}
    </>
  );
}
