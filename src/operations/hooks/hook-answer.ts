import type { Actor } from "../../auth/actor.ts";
import { kindsOf } from "../../models/event-kinds.ts";
import { hiddenValue } from "../../models/own-headers.ts";
import type { Hook } from "../../store/queries/hooks.ts";
import { decodeSecret } from "../../webhooks/secret.ts";

/** What the caller has just set, and so may see. */
interface JustSet {
  /** As they were sent: one that only keeps its value is not set by it. */
  headers?: Hook["headers"] | undefined;
  secret?: boolean;
}

/** A webhook as the caller may see it. Only Admins see its secrets, and whoever has just set them (OP-72, OP-289). */
export function toHookAnswer(actor: Actor, hook: Hook, set: JustSet = {}) {
  const isAdmin = actor.roles.includes("Admin");
  const secret = isAdmin || set.secret ? hook.secret : null;
  return {
    ...hook,
    events: kindsOf(hook.events),
    headers: isAdmin ? toOwn(hook.headers) : toHidden(hook.headers, set.headers ?? {}),
    secret,
    standard_secret: secret && `whsec_${Buffer.from(decodeSecret(secret)).toString("base64")}`,
    subscriptions: hook.events,
  };
}

const toOwn = (headers: Hook["headers"]) => (hasNone(headers) ? null : headers);

function toHidden(headers: Hook["headers"], set: Readonly<Record<string, string>>) {
  if (headers === null || hasNone(headers)) return null;
  return Object.fromEntries(Object.keys(headers).map((name) => [name, set[name] ?? hiddenValue]));
}

const hasNone = (headers: Hook["headers"]) => headers === null || Object.keys(headers).length === 0;
