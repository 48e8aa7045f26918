import { randomBytes, randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import { inThisThread, type TaskRunner } from "../documents/threads/tasks.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Environment } from "../runtime/environment.ts";
import { programVersion } from "../runtime/program-version.ts";
import { remember } from "../store/access/memories.ts";
import { allowsPrivateHooks as readPolicy } from "../store/held-deliveries.ts";
import { openDatabase } from "../store/open-database.ts";
import type { SecretKeys } from "../store/secrets/secret-keys.ts";
import { createStore, type Store } from "../store/store.ts";
import { createStoreClock } from "../store/store-clock.ts";
import { createOutboxNotifier } from "../webhooks/delivery-service.ts";
import type { Sender } from "../webhooks/send.ts";
import { createUsageLog, hooksPerTenantDefault, type Service } from "./service.ts";

export interface ServiceOptions {
  /** A SQLite file, or the address of a PostgreSQL database. */
  data: string;
  /** Creates the file or the tables. */
  create?: boolean;
  /** Holds the variables of libpq (`OpenOptions`). */
  env?: Environment | undefined;
  allowsHaulerSignup?: boolean;
  /** Allows deliveries to private addresses, whatever the store's policy is. */
  allowsPrivateHooks?: boolean;
  fonts?: readonly string[];
  /** The limit of active webhooks in a tenant; 100 by default. */
  hooksPerTenantMax?: number;
  /** Commits do not wait for the disk (`OpenOptions`). */
  isBulk?: boolean;
  /** The store is in memory, and `data` names no file (`OpenOptions`). */
  inMemory?: { image: Uint8Array | null };
  isReadOnly?: boolean;
  /** Called after a second of waiting for another program to release the file (`OpenOptions`). */
  onWait?: () => void;
  makesEvents?: boolean;
  /** For webhook secrets. */
  secretKeys?: SecretKeys;
  /** Runs slow tasks in threads. */
  usesThreads?: boolean;
  clock?: Clock;
}

/** Uses the machine's clock and random bytes. */
export function openService(options: ServiceOptions): Service {
  const { data, create = false, isBulk = false, isReadOnly = false, fonts = [], clock: givenClock } = options;
  const machineClock = givenClock ?? systemClock;
  const {
    allowsHaulerSignup = true,
    allowsPrivateHooks = false,
    hooksPerTenantMax = hooksPerTenantDefault,
    makesEvents = true,
    usesThreads = false,
  } = options;
  const database = openDatabase(data, {
    create,
    isBulk,
    isReadOnly,
    env: options.env,
    ...(options.inMemory && { inMemory: options.inMemory }),
    ...(options.onWait && { onWait: options.onWait }),
  });
  let sender: Promise<Sender> | undefined;
  const makeSender = async () => {
    const { createPolicySender } = await import("../webhooks/send.ts");
    const mayReachPrivate = async () => allowsPrivateHooks || readPolicy(getMeta);
    return createPolicySender(mayReachPrivate, { userAgent: `dispatch-cli/${programVersion}` });
  };
  const tasks = usesThreads ? inOtherThreads() : inThisThread;
  const closeAll = async () => {
    await tasks.close();
    await (await sender)?.close();
    await database.close();
  };
  const close = once(closeAll);
  const store = createStore(database, close, options.secretKeys);
  const getMeta = rememberMetadata(store);
  const databaseMs = async () => (givenClock ? null : store.database.databaseMs());
  const clock = createStoreClock(machineClock, { databaseMs, getMeta });
  return {
    clock,
    machineClock,
    makeUuid: () => randomUUID(),
    outbox: createOutboxNotifier(store.database.hints),
    policy: { allowsHaulerSignup, allowsPrivateHooks, fonts, hooksPerTenantMax, makesEvents },
    randomBytes: (count) => randomBytes(count),
    serving: null,
    sender: () => {
      sender ??= makeSender();
      return sender;
    },
    store,
    tasks,
    usage: createUsageLog(clock),
  };
}

/** Later calls wait for the first one. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

/** Starts the pool with the first task, because many servers run none. */
function inOtherThreads(): TaskRunner {
  let pool: Promise<TaskRunner> | undefined;
  const start = async () => {
    const { startThreadPool } = await import("../documents/threads/thread-pool.ts");
    return startThreadPool({ file: threadFile });
  };
  return {
    async run(tenantId, name, input) {
      pool ??= start();
      return (await pool).run(tenantId, name, input);
    },
    close: async () => (await pool)?.close(),
  };
}

/** build/build.js writes `threads/thread.ts` next to this file. */
const threadFile = fileURLToPath(new URL("thread.cjs", import.meta.url));

/** A cache: each request reads a sandbox's clock offset twice, for authentication and for the operation. */
function rememberMetadata(store: Store): (key: string) => Promise<string | undefined> {
  const ask = async (key: string) => ({ value: await store.metadata.get(key) });
  const remembered = remember(() => store.database.sharedRevision(), ask, metadataKeysMax);
  return async (key) => (await remembered(key))?.value;
}

const metadataKeysMax = 10;
