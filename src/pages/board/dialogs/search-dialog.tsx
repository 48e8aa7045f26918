import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { hasAllWords, toWords } from "../../../board/job-words.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { sayDayOrMoment } from "../../../local-time/show-time.ts";
import { showPhone } from "../../../models/show-phone.ts";
import { messageOf } from "../../session/keep-trying.ts";
import { type BoardParts, useBoard } from "../board-context.ts";
import { offeredKeys, pressKey } from "../input/follow-keys.ts";
import { openJob } from "../input/follow-link.ts";
import { toFoundCustomer } from "./choose-customer.tsx";
import { Dialog } from "./dialog.tsx";
import { type Option, PickList } from "./pick-list.tsx";

type Hit = OperationsAt<NewestVersion>["search.find"]["answer"]["results"][number];
type FoundJob = NonNullable<Hit["next_job"]>;

/** The search starts after this pause in typing. */
const pauseMs = 150;

/** Finds customers, jobs, trucks, and drivers on any day, and lists the actions with their keys. */
export function SearchDialog({ onClose }: { onClose: () => void }): JSX.Element {
  const parts = useBoard();
  const text = useSignal("");
  const found = useSignal<{ hits: readonly Hit[]; problem?: string; q: string }>({ hits: [], q: "" });
  const q = text.value.trim();
  useEffect(() => {
    if (q === "") return;
    const timer = setTimeout(async () => {
      const read = await parts.session.client
        .call("search.find", { query: { limit: hitsMax, q } })
        .catch(messageOf);
      if (text.peek().trim() !== q) return;
      found.value = typeof read === "string" ? { hits: [], problem: read, q } : { hits: read.results, q };
    }, pauseMs);
    return () => clearTimeout(timer);
  }, [q]);
  const { hits, problem } = found.value.q === q ? found.value : { hits: [] };
  const options = [...toActions(parts, q), ...hits.flatMap((hit) => toOptions(parts, hit))].map((option) => ({
    ...option,
    take() {
      onClose();
      // The dialog returns the focus to the card that an action changes.
      queueMicrotask(option.take);
    },
  }));
  return (
    <Dialog title="Search" onClose={onClose}>
      <PickList
        label="Customer, phone number, reference, street, truck, or action"
        text={text.value}
        options={options}
        isPending={q !== "" && found.value.q !== q}
        onType={(typed) => {
          text.value = typed;
        }}
      />
      <p role="status">
        {q !== "" && q === found.value.q && options.length === 0 ? "Nothing is found." : ""}
      </p>
      <p role="alert">{problem ?? ""}</p>
      {q === "" && (
        <p class="quiet">Arrows choose a job on the board; Home and End go to the first and last.</p>
      )}
    </Dialog>
  );
}

const hitsMax = 12;

function toActions(parts: BoardParts, q: string): Option[] {
  const words = toWords(q);
  return offeredKeys(parts.session)
    .filter(({ does }) => hasAllWords(words, does))
    .map(({ does, name, shown }) => ({
      children: (
        <span class="action">
          {does} <kbd>{shown}</kbd>
        </span>
      ),
      key: `key ${name}`,
      take: () => pressKey(parts, name),
    }));
}

function toOptions(parts: BoardParts, hit: Hit): Option[] {
  const { dialog, session, view } = parts;
  const { customer_name, id, kind, name, reference_number } = hit;
  const show = (title: string, more: string, take: () => void): Option => ({
    children: (
      <>
        <strong dir="auto">{title}</strong>
        <span class="quiet more" dir="auto">
          {more}
        </span>
      </>
    ),
    key: `${kind} ${id} ${more}`,
    take,
  });
  const filter = (change: Partial<typeof view.value>) => () => {
    view.value = { ...view.value, ...change };
  };
  if (kind === "truck") return [show(name, "Truck: show only this one", filter({ truckId: id }))];
  if (kind === "driver") {
    const driver = { id, locationId: hit.location_id ?? 0, name };
    const sign = () => {
      dialog.value = { driver, kind: "link" };
    };
    return [
      show(name, "Driver: show only these jobs", filter({ text: name })),
      ...(session.mayCall("tokens.create") ? [show(name, "Driver: sign in on a phone", sign)] : []),
    ];
  }
  if (kind === "job") {
    const more = [`Job ${id}`, reference_number, hit.address].filter(Boolean).join(" · ");
    return [show(customer_name ?? `job ${id}`, more, () => void openJob(parts, id, hit.location_id))];
  }
  const where = [showPhone(hit.contact_number ?? ""), hit.address].filter(Boolean).join(" · ");
  const jobs = [hit.next_job, hit.last_job].flatMap((job) => job ?? []);
  const create = () => {
    dialog.value = { customer: toFoundCustomer(hit, id), kind: "new" };
  };
  return [
    ...jobs.map((job) =>
      show(name, `${sayJob(parts, job)} · ${where}`, () => void openJob(parts, job.id, job.location_id)),
    ),
    ...(session.mayCall("jobs.create") ? [show(name, `New job · ${where}`, create)] : []),
  ];
}

function sayJob({ state }: BoardParts, job: FoundJob): string {
  const view = { today: state.today.value, zone: state.zoneOf(job.location_id) };
  const day = job.schedule_date && sayDayOrMoment(job.schedule_date, view);
  return [`Job ${job.id}`, day, job.state, job.truck_name].filter(Boolean).join(" · ");
}
