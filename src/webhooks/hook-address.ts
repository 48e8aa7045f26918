import { findUrlProblem } from "../models/http-url.ts";
import { AddressRefusedError, isGuardedLiteral } from "./address-guard.ts";
import { toFailed, type UntimedOutcome } from "./attempt-outcome.ts";

/** Where a request goes. */
interface HookAddress {
  kind: "address";
  url: URL;
  origin: string;
  /** With the query. */
  path: string;
}

const keptMax = 256;

/**
 * Makes what reads the URL of a request; it gives the failure of one that may not be sent to. What it read is kept,
 * because deliveries go to few URLs. The addresses behind a name are looked at when it is dialled, every time.
 */
export function createAddressReader(
  allowPrivateAddresses: boolean,
): (text: string) => HookAddress | (UntimedOutcome & { kind: "failed" }) {
  const kept = new Map<string, HookAddress>();
  return (text) => {
    const known = kept.get(text);
    if (known) return known;
    const problem = findUrlProblem(text);
    if (problem !== null) return toFailed("url", `The URL ${problem}.`);
    const url = new URL(text);
    if (!allowPrivateAddresses && isGuardedLiteral(url)) {
      return toFailed("refused_address", new AddressRefusedError(url.hostname).message);
    }
    const address = { kind: "address", url, origin: url.origin, path: url.pathname + url.search } as const;
    if (kept.size >= keptMax) kept.clear();
    kept.set(text, address);
    return address;
  };
}
