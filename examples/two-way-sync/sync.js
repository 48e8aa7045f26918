import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { createClient, DispatchError } from "dispatch-cli";
import { createOrderClient, StaleOrderError } from "./order-client.js";

/** Begins the Idempotency-Key of every write of this program, so that it recognizes the events of its own writes. */
const ownMark = "order-sync:";

/** The fields that both systems have, and the side that wins if both changed since they were last equal. */
const fields = {
  day: {
    winner: "job",
    ofJob: (job) => job.schedule_date?.slice(0, 10) ?? null,
    toJob: (day) => ({ schedule_date: day }),
  },
  note: {
    winner: "order",
    ofJob: (job) => job.dispatcher_notes,
    toJob: (note) => ({ dispatcher_notes: note }),
  },
  isCancelled: {
    winner: "order",
    ofJob: (job) => job.is_deleted,
    toJob: (isCancelled) => ({ is_deleted: isCancelled }),
  },
};

/**
 * Keeps the jobs of a location and the orders of another system equal until the signal aborts. An order has the
 * `reference_number` of its job as `key`. An event only says which record to compare: `reconcile` reads both sides, so
 * events that come twice, late, or after a restart do no harm. `toNewJob` completes the job of a new order.
 */
export async function sync({
  client,
  orders,
  location,
  toNewJob,
  file,
  onProblem,
  pauseMs = 1000,
  ...options
}) {
  const state = openState(file);
  const stopped = new AbortController();
  const signal = AbortSignal.any([options.signal, stopped.signal]);
  /** An error of one direction ends the other. */
  const end = (error) => stopped.abort(error);
  let last = Promise.resolve();
  /** Compares one record at a time. */
  const inTurn = (work) => {
    last = last.then(() => untilDone(work));
    return last;
  };

  /** Tries again until both systems answer. Reports and skips a change that the service refuses. */
  async function untilDone(work) {
    for (;;) {
      signal.throwIfAborted();
      try {
        return await work();
      } catch (error) {
        signal.throwIfAborted();
        onProblem(error);
        if (error instanceof DispatchError && [400, 404, 409, 422].includes(error.status)) return undefined;
        await wait(pauseMs, undefined, { signal });
      }
    }
  }

  async function followJobs() {
    const { hasReadAll, lastEventId } = state;
    let reading;
    const onConnection = () => {
      // The stream is open, so no change is missed while this reads all jobs.
      if (!hasReadAll) reading ??= readAllJobs().catch(end);
    };
    const events = client.stream({ events: ["Job"], includeCause: true, lastEventId, signal, onConnection });
    try {
      for await (const event of events) {
        if (event.type === "Missed") await readAllJobs();
        else if (!event.cause?.idempotency_key?.startsWith(ownMark)) await reconcileJob(event.data);
        if (event.type !== "Missed") state.set({ lastEventId: event.id });
      }
    } finally {
      await reading;
    }
  }

  async function readAllJobs() {
    await untilDone(async () => {
      for await (const job of client.pages("locations.jobs", { params: { location_id: location }, signal }))
        await reconcileJob(job);
    });
    state.set({ hasReadAll: true });
  }

  async function followOrders() {
    for (;;) {
      const page = await untilDone(() => orders.changesAfter(state.ordersAfter, signal));
      for (const order of page.changes)
        if (order.changedBy !== ownMark) await inTurn(() => reconcile(order.key));
      state.set({ ordersAfter: page.next });
      if (page.changes.length === 0) await wait(pauseMs, undefined, { signal });
    }
  }

  const reconcileJob = ({ id, location_id, reference_number }) =>
    location_id === location ? inTurn(() => reconcile(reference_number ?? `job-${id}`, id)) : undefined;

  /** Merges both sides and writes the sides that differ. Starts again if one changes meanwhile. */
  async function reconcile(key, id) {
    for (;;) {
      const link = state.links[key];
      const [job, order] = await Promise.all([findJob(key, link?.id ?? id), orders.get(key, signal)]);
      const isGone = (job?.answer.is_deleted ?? true) && (order?.isCancelled ?? true);
      if (isGone && !(job && order)) return;
      const merged = merge(key, link?.equal, job && toShared(job.answer), order);
      // A deleted job cannot change until it is restored.
      const target = merged.isCancelled ? { isCancelled: true } : merged;
      try {
        const jobId = await writeJob(key, job, target, order);
        if (!order || !isEqual(order, target))
          await orders.put({ ...order, ...target, key, changedBy: ownMark }, order?.version ?? 0, signal);
        // The next merge starts here.
        const equal = { ...link?.equal, ...target };
        state.set({ links: { ...state.links, [key]: { equal, id: jobId } } });
        return;
      } catch (error) {
        const isStale = error instanceof StaleOrderError || error.code === "precondition_failed";
        if (!isStale) throw error;
      }
    }
  }

  async function findJob(key, id) {
    const params = { location_id: location };
    if (id !== undefined) return client.exchange("jobs.get", { params: { ...params, job_id: id }, signal });
    // A job of an earlier run that ended before it could store the link.
    const [known] = (await client.locations.jobs({ params, query: { reference_number: key }, signal }))
      .results;
    return known ? findJob(key, known.id) : null;
  }

  async function writeJob(key, job, target, order) {
    const params = { location_id: location };
    const call = { idempotencyKey: `${ownMark}${randomUUID()}`, signal };
    const toBody = (names) => Object.assign({}, ...names.map((name) => fields[name].toJob(target[name])));
    if (!job) {
      const body = { ...toNewJob(order), ...toBody(Object.keys(target)), reference_number: key };
      return (await client.jobs.create({ ...call, params, body })).id;
    }
    const { id, is_deleted: isDeleted, reference_number } = job.answer;
    const shown = toShared(job.answer);
    const changed = Object.keys(target).filter((name) => target[name] !== shown[name]);
    if (reference_number === key && changed.length === 0) return id;
    const isRestore = isDeleted && !target.isCancelled;
    const body = isRestore ? { is_deleted: false } : { ...toBody(changed), reference_number: key };
    await client.jobs.update({ ...call, params: { ...params, job_id: id }, body, ifMatch: job.etag });
    return isRestore ? writeJob(key, await findJob(key, id), target, order) : id;
  }

  /** The changed side of each field; the winner if both changed. */
  function merge(key, equal, ofJob, order) {
    return mapFields(({ winner }, name) => {
      if (!ofJob || !order) return (ofJob ?? order)[name];
      if (ofJob[name] === order[name] || order[name] === equal?.[name]) return ofJob[name];
      if (ofJob[name] === equal?.[name]) return order[name];
      onProblem(new Error(`Both sides changed ${name} of ${key}; the ${winner} wins.`));
      return winner === "job" ? ofJob[name] : order[name];
    });
  }

  await Promise.all([followJobs().catch(end), followOrders().catch(end)]);
  signal.throwIfAborted();
}

const mapFields = (toValue) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, toValue(field, name)]));

const toShared = (job) => mapFields((field) => field.ofJob(job));

const isEqual = (order, target) => Object.keys(target).every((name) => order[name] === target[name]);

/** What the program remembers, in a file that is replaced as a whole. */
function openState(file) {
  const state = existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : { hasReadAll: false, lastEventId: null, ordersAfter: 0, links: {} };
  return Object.assign(state, {
    set(changes) {
      Object.assign(state, changes);
      writeFileSync(`${file}.new`, JSON.stringify(state));
      renameSync(`${file}.new`, file);
    },
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const {
    ADDRESS,
    CUSTOMER,
    DISPATCH_TENANT: tenant,
    DISPATCH_TOKEN: token,
    DISPATCH_URL: url,
    LOCATION,
    ORDERS_URL,
  } = process.env;
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  await sync({
    client: createClient({ url, token, tenant }),
    orders: createOrderClient(ORDERS_URL),
    location: Number(LOCATION),
    toNewJob: () => ({ address_id: Number(ADDRESS), requested_by: Number(CUSTOMER), type: "D" }),
    file: "sync-state.json",
    onProblem: (error) => console.error(error.message),
    signal: stop.signal,
  }).catch((error) => {
    if (!stop.signal.aborted) throw error;
  });
}
