import type { Actor } from "../../auth/actor.ts";
import { kindsOf } from "../../models/event-kinds.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import { decodeSecret } from "../../webhooks/sign.ts";

/** What the caller has just set, and so may see. */
interface JustSet {
  /** The names of headers whose values it sent. */
  headers?: readonly string[];
  secret?: boolean;
}

/** A webhook as the caller may see it. Only Admins see its secrets, and whoever has just set them (OP-72, OP-289). */
export function toHookAnswer(actor: Actor, hook: Hook, set: JustSet = {}) {
  const isAdmin = actor.roles.includes("Admin");
  const secret = isAdmin || set.secret ? hook.secret : null;
  return {
    ...hook,
    events: kindsOf(hook.events),
    headers: toShownHeaders(hook.headers, (name) => isAdmin || (set.headers?.includes(name) ?? false)),
    secret,
    standard_secret: secret && `whsec_${decodeSecret(secret).toString("base64")}`,
    subscriptions: hook.events,
  };
}

function toShownHeaders(headers: Hook["headers"], isShown: (name: string) => boolean): Hook["headers"] {
  const entries = Object.entries(headers ?? {});
  if (entries.length === 0) return null;
  return Object.fromEntries(entries.map(([name, value]) => [name, isShown(name) ? value : hiddenValue]));
}
