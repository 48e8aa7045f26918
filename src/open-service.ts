import { randomBytes, randomUUID } from "node:crypto";
import { type Clock, systemClock } from "./clock.ts";
import { createOutboxNews } from "./outbox-news.ts";
import { programVersion } from "./program-version.ts";
import type { Service } from "./service.ts";
import { openDatabase } from "./store/open-database.ts";
import { createStore } from "./store/store.ts";
import { createStoreClock } from "./store-clock.ts";
import type { Sender } from "./webhooks/send.ts";

export interface ServiceOptions {
  /** The store: a SQLite file, or the address of a PostgreSQL database. */
  data: string;
  /** Makes the file, or the tables. */
  create?: boolean;
  allowsHaulerSignup?: boolean;
  allowsPrivateHooks?: boolean;
  fonts?: readonly string[];
  /** In place of the machine's. */
  clock?: Clock;
}

/** Opens a store and lends it the world: the machine's clock and randomness, and a sender once one is needed. */
export function openService(options: ServiceOptions): Service {
  const { data, create = false, fonts = [], clock: machineClock = systemClock } = options;
  const { allowsHaulerSignup = true, allowsPrivateHooks = true } = options;
  const database = openDatabase(data, { create });
  let sender: Promise<Sender> | undefined;
  const makeSender = async () => {
    const { createSender } = await import("./webhooks/send.ts");
    return createSender({
      allowPrivateAddresses: allowsPrivateHooks,
      userAgent: `dispatch-cli/${programVersion}`,
    });
  };
  const store = createStore(database, async () => {
    await (await sender)?.close();
    await database.close();
  });
  return {
    allowsHaulerSignup,
    allowsPrivateHooks,
    clock: createStoreClock(machineClock, (key) => store.accounts.getMeta(key)),
    fonts,
    machineClock,
    makeUuid: () => randomUUID(),
    news: createOutboxNews(),
    randomBytes: (count) => randomBytes(count),
    sender: () => {
      sender ??= makeSender();
      return sender;
    },
    store,
  };
}
