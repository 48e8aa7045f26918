import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import { makeKey } from "../../../../client/exchange.ts";
import type { NewestVersion, OperationsAt } from "../../../../client/wire.ts";
import { dateOrderOf } from "../../../../local-time/date-order.ts";
import { sayDay } from "../../../../local-time/show-time.ts";
import type { BoardParts } from "../../board-context.ts";
import { toFieldRefusals } from "../../edit/field-refusals.ts";
import type { Fleet, Job } from "../../state/read-day.ts";
import type { FoundCustomer } from "./find-customers.ts";
import { newJobFields, readNewJob } from "./new-job-fields.ts";

type Operations = OperationsAt<NewestVersion>;

/** A customer with its addresses, contacts and locations. */
export type Customer = Operations["customers.get"]["answer"];

/** A job that is about to be made. */
export interface NewJob {
  isBusy: Signal<boolean>;
  isUnsaved: ReadonlySignal<boolean>;
  /** Locations, with their fleets, that do jobs for the customer. */
  fleets: readonly Fleet[];
  fleet: ReadonlySignal<Fleet | undefined>;
  refusals: Signal<ReadonlyMap<string, string>>;
  textOf(name: string): string;
  type(name: string, text: string): void;
  /** Makes it, once however often it is asked for; null where it was refused, or is being made already. */
  create(): Promise<Job | null>;
}

/** Begins a job for a customer: on the day, the truck and the location that the board shows. */
export function createNewJob(
  { doing, session, state, view }: BoardParts,
  customer: Customer,
  found: FoundCustomer,
): NewJob {
  const isServed = ({ location }: Fleet) =>
    location.is_active && customer.locations.some((one) => one.location_id === location.id && one.is_active);
  const fleets = (state.fleets.value?.all ?? []).filter(isServed);
  const addresses = customer.addresses.filter(({ is_active }) => is_active);
  const preferred = [view.value.locationId, found.locationId];
  const fleet =
    preferred.flatMap((id) => fleets.filter(({ location }) => location.id === id))[0] ?? fleets[0];
  const address =
    addresses.find(({ id }) => id === found.addressId) ??
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
    ]),
  );
  const isBusy = signal(false);
  const isUnsaved = signal(false);
  const refusals = signal<ReadonlyMap<string, string>>(new Map());
  const chosen = computed(() =>
    fleets.find(({ location }) => String(location.id) === texts.value.get("location_id")),
  );
  let sent = { key: "", text: "" };
  /** The same request has the same name, so that it makes one job. */
  const toKey = (text: string) => {
    if (sent.text !== text) sent = { key: makeKey(), text };
    return sent.key;
  };
  const textOf = (name: string) => texts.value.get(name) ?? "";
  return {
    isBusy,
    isUnsaved,
    fleet: chosen,
    fleets,
    refusals,
    textOf,
    type(name, text) {
      const next = new Map(texts.value).set(name, text);
      // Another location has trucks and asset types of its own.
      if (name === "location_id") for (const one of ["asset_type_id", "truck_id"]) next.delete(one);
      texts.value = next;
      isUnsaved.value = true;
      refusals.value = new Map([...refusals.value].filter(([refused]) => refused !== name && refused !== ""));
    },
    async create() {
      if (isBusy.value || !chosen.value) return null;
      const { id: location_id } = chosen.value.location;
      const zone = state.zoneOf(location_id);
      const read = readNewJob(texts.value, { now: state.now.value, order: dateOrderOf(zone), zone });
      refusals.value = read.refusals;
      if (read.refusals.size > 0) return null;
      const truckId = Number(textOf("truck_id"));
      const body = {
        ...read.fields,
        address_id: Number(textOf("address_id")),
        requested_by: customer.id,
        type: read.fields.type ?? "D",
        ...(truckId > 0 && { truck_id: truckId }),
      };
      const idempotencyKey = toKey(JSON.stringify({ body, location_id }));
      isBusy.value = true;
      let made: Job | null = null;
      await doing.run(null, `New job for ${customer.name}`, async () => {
        try {
          made = await session.client.call("jobs.create", { body, idempotencyKey, params: { location_id } });
          return made;
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
      return made;
    },
  };
}
