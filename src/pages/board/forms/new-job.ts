import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { JobChanges } from "../../../board/board-actions.ts";
import { makeKey } from "../../../client/exchange.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { dateOrderOf } from "../../../local-time/date-order.ts";
import type { TypedAt } from "../../../local-time/read-time.ts";
import { sayDay } from "../../../local-time/show-time.ts";
import { dayOf } from "../../../local-time/whole-day.ts";
import type { ActionParts } from "../actions/actions.ts";
import type { Fleet, Job } from "../state/read-day.ts";
import type { View } from "../state/view.ts";
import { type JobField, jobFields, toFieldRefusals } from "./job-fields.ts";
import { readNewCustomer, storeNewCustomer, toCallerTexts } from "./new-customer.ts";

type Operations = OperationsAt<NewestVersion>;

export type Customer = Operations["customers.get"]["answer"];

export interface FoundCustomer {
  id: number;
  name: string;
  address: string | null;
  addressId: number | null;
  contact: string;
  locationId: number | null;
}

type StoredCustomer = Pick<Customer, "addresses" | "id" | "name">;

export interface NewJob {
  isBusy: Signal<boolean>;
  isUnsaved: ReadonlySignal<boolean>;
  /** The locations that serve the customer. */
  fleets: readonly Fleet[];
  fleet: ReadonlySignal<Fleet | undefined>;
  refusals: Signal<ReadonlyMap<string, string>>;
  /** null until the service has stored a new customer. */
  stored: ReadonlySignal<StoredCustomer | null>;
  textOf(name: string): string;
  type(name: string, text: string): void;
  /** Creates one job, however often the user submits. Returns null if that failed or already runs. */
  create(): Promise<Job | null>;
}

export function createNewJob(
  { actions, session, state, view }: ActionParts & { view: ReadonlySignal<View> },
  customer: Customer | null,
  found: FoundCustomer | null,
  caller: string,
): NewJob {
  const isServed = ({ location }: Fleet) =>
    location.is_active &&
    (!customer || customer.locations.some((one) => one.location_id === location.id && one.is_active));
  const fleets = (state.fleets.value?.all ?? []).filter(isServed);
  const addresses = customer?.addresses.filter(({ is_active }) => is_active) ?? [];
  const preferred = [view.value.locationId, found?.locationId];
  const fleet =
    preferred.flatMap((id) => fleets.filter(({ location }) => location.id === id))[0] ?? fleets[0];
  const address =
    addresses.find(({ id }) => id === found?.addressId) ??
    addresses.find(({ is_shipping }) => is_shipping) ??
    addresses[0];
  const truck = fleet?.trucks.find(({ id }) => id === view.value.truckId);
  const texts = signal<ReadonlyMap<string, string>>(
    new Map([
      ["address_id", String(address?.id ?? "")],
      ["location_id", String(fleet?.location.id ?? "")],
      ["schedule_date", sayDay(state.date.value, { today: state.today.value })],
      ["truck_id", String(truck?.id ?? "")],
      ["type", "D"],
      ...(customer ? [] : toCallerTexts(caller)),
    ]),
  );
  const isBusy = signal(false);
  const isUnsaved = signal(false);
  const refusals = signal<ReadonlyMap<string, string>>(new Map());
  const chosen = computed(() =>
    fleets.find(({ location }) => String(location.id) === texts.value.get("location_id")),
  );
  const stored = signal<StoredCustomer | null>(customer);
  const keys = new Map<string, string>();
  /** A repeated request repeats its key, so that it creates one record. */
  const toKey = (request: unknown) => {
    const text = JSON.stringify(request);
    const key = keys.get(text) ?? makeKey();
    keys.set(text, key);
    return key;
  };
  const textOf = (name: string) => texts.value.get(name) ?? "";
  return {
    isBusy,
    isUnsaved,
    fleet: chosen,
    fleets,
    refusals,
    stored,
    textOf,
    type(name, text) {
      const next = new Map(texts.value).set(name, text);
      // Each location has its own trucks and asset types.
      if (name === "location_id") for (const one of ["asset_type_id", "truck_id"]) next.delete(one);
      texts.value = next;
      isUnsaved.value = true;
      refusals.value = new Map([...refusals.value].filter(([refused]) => refused !== name && refused !== ""));
    },
    async create() {
      const chosenFleet = chosen.value;
      if (isBusy.value || !chosenFleet) return null;
      const { id: location_id } = chosenFleet.location;
      const zone = state.zoneOf(location_id);
      const read = readNewJob(texts.value, { now: state.now.value, order: dateOrderOf(zone), zone });
      const asked = stored.value ? null : readNewCustomer(texts.value, chosenFleet);
      const wrong = asked && "refusals" in asked ? asked.refusals : [];
      refusals.value = new Map([...wrong, ...read.refusals]);
      if (refusals.value.size > 0) return null;
      const truckId = Number(textOf("truck_id"));
      isBusy.value = true;
      let created: Job | null = null;
      await actions.run(null, `New job for ${stored.value?.name ?? textOf("name")}`, async () => {
        try {
          if (asked && "customer" in asked)
            stored.value = await storeNewCustomer(
              session,
              asked.customer,
              chosenFleet,
              toKey(asked.customer),
            );
          const body = {
            ...read.fields,
            address_id: customer ? Number(textOf("address_id")) : (stored.value?.addresses[0]?.id ?? 0),
            requested_by: stored.value?.id ?? 0,
            type: read.fields.type ?? "D",
            ...(truckId > 0 && { truck_id: truckId }),
          };
          created = await session.client.call("jobs.create", {
            body,
            idempotencyKey: toKey({ body, location_id }),
            params: { location_id },
          });
          return created;
        } catch (error) {
          refusals.value = toFieldRefusals(error, [
            ["address_id"],
            ["truck_id"],
            ...newJobFields.map(({ names }) => names),
          ]);
          throw error;
        }
      });
      isBusy.value = false;
      return created;
    },
  };
}

export const newJobFields: readonly JobField[] = jobFields.filter(({ names: [name] }) =>
  [
    "asset_quantity",
    "asset_type_id",
    "desired_start_time",
    "dispatcher_notes",
    "driver_notes",
    "reference_number",
    "schedule_date",
    "type",
  ].includes(name),
);

function readNewJob(
  texts: ReadonlyMap<string, string>,
  at: TypedAt,
): { fields: JobChanges; refusals: ReadonlyMap<string, string> } {
  const fields: JobChanges = {};
  const refusals = new Map<string, string>();
  for (const field of newJobFields) {
    const [name] = field.names;
    const text = texts.get(name) ?? "";
    if (text === "") continue;
    const { schedule_date } = fields;
    const read = field.read(text, at, schedule_date ? dayOf(schedule_date, at.zone) : at.zone.dateOf(at.now));
    if ("refusal" in read) refusals.set(name, `"${text}" ${read.refusal}.`);
    else Object.assign(fields, read.changes);
  }
  return { fields, refusals };
}
