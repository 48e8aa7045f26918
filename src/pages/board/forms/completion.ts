import { batch, computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { BoardJob } from "../../../board/board.ts";
import { boardActions } from "../../../board/board-actions.ts";
import type { Listed } from "../../../client/call-types.ts";
import type { Client } from "../../../client/client.ts";
import { makeKey } from "../../../client/exchange.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { DispatchError } from "../../../errors/dispatch-error.ts";
import { unreachableCodes } from "../../../errors/errors.ts";
import { completesAsDriver, findMissing, type JobRequirementName } from "../../../models/job-requirements.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import type { ActionParts } from "../actions/actions.ts";
import type { Job } from "../state/read-day.ts";
import { toShownJob } from "../state/show-job.ts";
import { toFieldRefusals } from "./job-fields.ts";
import { type Addition, type PartName, proofParts, readProof, toFieldKey } from "./proof-parts.ts";

export type Material = Listed<OperationsAt<NewestVersion>["materials.list"]>;

/** "unsure": without a response, the service may have stored the part. */
type PartState = "stored" | "unsure";

export interface Completion {
  /** null until the page has read the job. */
  missing: ReadonlySignal<readonly JobRequirementName[] | null>;
  materials: ReadonlySignal<readonly Material[]>;
  unit: ReadonlySignal<string | null>;
  /** Whether the service refuses a completion while a requirement is missing. */
  isRequired: boolean;
  /** Parts already sent. Their fields no longer change. */
  sent: ReadonlySignal<ReadonlyMap<PartName, PartState>>;
  isBusy: ReadonlySignal<boolean>;
  isUnsaved: ReadonlySignal<boolean>;
  problem: ReadonlySignal<string>;
  refusals: Signal<ReadonlyMap<string, string>>;
  textOf(key: string): string;
  type(key: string, text: string): void;
  /** Adds the typed parts, then completes the job. Returns false if that failed. */
  complete(): Promise<boolean>;
}

export const notesKey = "driver_notes";

/** Sends each part until the service has stored it, and never again. */
export function createCompletion(parts: ActionParts, shown: BoardJob): Completion {
  const { actions, session, state } = parts;
  const params = { job_id: shown.id, location_id: shown.location_id };
  const isRequired = completesAsDriver(session.roles);
  const isBusy = signal(false);
  const problem = signal("");
  const refusals: Completion["refusals"] = signal(new Map());
  const { job, materials, missing } = readLacking(session, params, problem);
  const typing = createTyping(job, refusals);
  const { textOf, texts } = typing;
  const { add, sent } = createAdding(session.client, params, refusals);
  const toNotes = async () => {
    const notes = textOf(notesKey);
    if (!job.value || notes === (job.value.driver_notes ?? "")) return {};
    const { driver_notes } = await session.client.call("jobs.get", { params });
    if (driver_notes === job.value.driver_notes) return { driver_notes: notes === "" ? null : notes };
    // An earlier request stored the notes, and its response was lost.
    if ((driver_notes ?? "") === notes) return {};
    job.value = { ...job.value, driver_notes };
    throw new Error(`Another user has changed the notes to "${driver_notes ?? ""}".`);
  };
  return {
    isBusy,
    isRequired,
    isUnsaved: computed(() => texts.value.size > 0),
    materials,
    missing,
    problem,
    refusals,
    sent,
    textOf,
    type: typing.type,
    unit: toUnit(job, materials, textOf),
    async complete() {
      if (isBusy.value || !missing.value) return false;
      const found = readProof(texts.value, missing.value, isRequired);
      refusals.value = found.refusals;
      if (found.refusals.size > 0) return false;
      isBusy.value = true;
      problem.value = "";
      const isDone = await actions.run(shown.id, `Job ${shown.id} completed`, async () => {
        try {
          for (const [part, addition] of found.additions) await add(part, addition);
          const known = state.jobs.peek().get(shown.id);
          const changes = { is_completed: true, ...(await toNotes()) };
          return await boardActions(session.client).update(known ? toShownJob(state, known) : shown, changes);
        } catch (error) {
          problem.value = `The job was not completed. ${messageOf(error)}`;
          throw error;
        }
      });
      if (!isDone) problem.value ||= `The job was not completed. ${actions.outcome.value.text}`;
      isBusy.value = false;
      return isDone;
    },
  };
}

export function toUnit(
  job: Signal<Job | null>,
  materials: ReadonlySignal<readonly Material[]>,
  textOf: Completion["textOf"],
): Completion["unit"] {
  return computed(() => {
    const stored = job.value?.materials.findLast(({ material_item_id }) => material_item_id !== null);
    const wantedId = Number(textOf(toFieldKey("material", "material_item_id"))) || stored?.material_item_id;
    return materials.value.find(({ id }) => id === wantedId)?.uom ?? null;
  });
}

interface Params {
  job_id: number;
  location_id: number;
}

function readLacking(session: Session, params: Params, problem: Signal<string>) {
  const job = signal<Job | null>(null);
  const missing = signal<readonly JobRequirementName[] | null>(null);
  const materials = signal<readonly Material[]>([]);
  const read = async () => {
    const [found, listed] = await Promise.all([
      session.client.call("jobs.get", { params }),
      // Without the list, the user types the name.
      listMaterials(session, params.location_id).catch(() => []),
    ]);
    const lacked = await findLacked(session, found);
    batch(() => {
      job.value = found;
      materials.value = listed;
      missing.value = lacked;
    });
  };
  read().catch((error: unknown) => {
    problem.value = messageOf(error);
  });
  return { job, materials, missing };
}

export function createTyping(job: Signal<Job | null>, refusals: Completion["refusals"]) {
  const texts = signal<ReadonlyMap<string, string>>(new Map());
  const storedText = (key: string) => (key === notesKey ? (job.value?.driver_notes ?? "") : "");
  return {
    texts,
    textOf: (key: string) => texts.value.get(key) ?? storedText(key),
    type(key: string, text: string) {
      const next = new Map(texts.value).set(key, text);
      if (text === storedText(key)) next.delete(key);
      texts.value = next;
      refusals.value = new Map([...refusals.value].filter(([refused]) => refused !== key));
    },
  };
}

/** Adds each part once: a retry repeats the Idempotency-Key and, while unsure, the body. */
function createAdding(client: Client, params: Params, refusals: Completion["refusals"]) {
  const sent = signal<ReadonlyMap<PartName, PartState>>(new Map());
  const requests = new Map<PartName, { addition: Addition; idempotencyKey: string }>();
  const note = (part: PartName, state: PartState | null) => {
    const others = [...sent.value].filter(([name]) => name !== part);
    sent.value = new Map(state === null ? others : [...others, [part, state]]);
  };
  const add = async (part: PartName, addition: Addition) => {
    const before = sent.value.get(part);
    if (before === "stored") return;
    const last = requests.get(part);
    const isSame = last && (before === "unsure" || isEqual(last.addition, addition));
    const request = isSame ? last : { addition, idempotencyKey: makeKey() };
    requests.set(part, request);
    try {
      await addPart(client, request.addition, { idempotencyKey: request.idempotencyKey, params });
      note(part, "stored");
    } catch (error) {
      note(part, isUnsure(error) ? "unsure" : null);
      refusals.value = toPartRefusals(part, error);
      throw error;
    }
  };
  return { add, sent };
}

function toPartRefusals(part: PartName, error: unknown): ReadonlyMap<string, string> {
  const { fields } = proofParts.find(({ name }) => name === part) ?? { fields: [] };
  const refused = toFieldRefusals(
    error,
    fields.map(({ name }) => [name] as const),
  );
  const named = [...refused].filter(([name]) => name !== "");
  return new Map(named.map(([name, text]) => [toFieldKey(part, name), text]));
}

const isEqual = (one: Addition, other: Addition) => JSON.stringify(one) === JSON.stringify(other);

/** Whether the service may have stored the request: no response, or a proxy's. */
function isUnsure(error: unknown): boolean {
  if (!(error instanceof DispatchError)) return true;
  return unreachableCodes.has(error.code) || error.status === null || error.status >= 500;
}

interface AddingOptions {
  idempotencyKey: string;
  params: Params;
}

/** One call for each operation, because the types of their bodies differ. */
export function addPart(client: Client, addition: Addition, options: AddingOptions): Promise<unknown> {
  const { body, operation } = addition;
  if (operation === "jobs.add-image") return client.call(operation, { ...options, body });
  if (operation === "jobs.add-item") return client.call(operation, { ...options, body });
  return client.call(operation, { ...options, body });
}

export async function listMaterials({ client }: Session, location_id: number): Promise<readonly Material[]> {
  const query = { page_limit: 1000 };
  return (await client.call("materials.list", { params: { location_id }, query })).results;
}

/** The job does not list its additional items. */
export const findShownLack = (job: Job): JobRequirementName[] =>
  findMissing(job, { ...job, items: [] }).map(({ field }) => field);

export async function findLacked(session: Session, job: Job): Promise<readonly JobRequirementName[]> {
  const lacked = findShownLack(job);
  if (!lacked.includes("require_materials") || !(await hasItem(session, job))) return lacked;
  return lacked.filter((name) => name !== "require_materials");
}

/** Dispatchers find additional items in the job's history, drivers by a dry run of the completion. */
async function hasItem({ client, mayCall }: Session, { id, location_id }: Job): Promise<boolean> {
  const params = { job_id: id, location_id };
  if (mayCall("jobs.timeline")) {
    for await (const { operation, undone_on } of client.pages("jobs.timeline", { params }))
      if (operation === "jobs.add-item" && undone_on === null) return true;
    return false;
  }
  return client.call("jobs.update", { body: { is_completed: true }, dryRun: true, params }).then(
    () => true,
    (error: unknown) => {
      if (!(error instanceof DispatchError) || error.code !== "state_conflict") throw error;
      return !error.message.includes("require_materials");
    },
  );
}
