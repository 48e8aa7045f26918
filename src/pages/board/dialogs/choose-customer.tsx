import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { showPhone } from "../../../models/show-phone.ts";
import { messageOf } from "../../session/keep-trying.ts";
import type { Session } from "../../session/session.ts";
import { useBoard } from "../board-context.ts";
import type { FoundCustomer } from "../forms/new-job.ts";

const pauseMs = 200;

export function ChooseCustomer({
  onChoose,
  onNew,
}: {
  onChoose: (customer: FoundCustomer) => void;
  /** Gets what the user typed. */
  onNew: (typed: string) => void;
}): JSX.Element {
  const { session } = useBoard();
  const { find, found, refusal, words } = useCustomerSearch(session);
  // Enter takes the only match, or leads to the first of several.
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    await find();
    const { customers = [], isNear = true } = found.value ?? {};
    const [only] = customers;
    if (only && customers.length === 1 && !isNear) onChoose(only);
    else currentTarget.querySelector<HTMLElement>(".choices button")?.focus();
  };
  return (
    <form class="new-job" onSubmit={(event) => void submit(event)}>
      <label>
        Customer: name, phone number, street, or reference
        <input
          data-first
          type="search"
          autocomplete="off"
          value={words.value}
          onInput={({ currentTarget }) => {
            words.value = currentTarget.value;
          }}
        />
      </label>
      {session.mayCall("customers.create") && (
        <p>
          <button type="button" onClick={() => onNew(words.value.trim())}>
            New customer
          </button>
        </p>
      )}
      <p role="alert">{refusal.value}</p>
      <Found found={found.value} onChoose={onChoose} />
    </form>
  );
}

function useCustomerSearch(session: Session) {
  const words = useSignal("");
  const found = useSignal<FoundCustomers | null>(null);
  const refusal = useSignal("");
  const last = useRef(0);
  const find = async () => {
    last.current += 1;
    const own = last.current;
    const q = words.value.trim();
    const read = q === "" ? null : await findCustomers(session, q).catch(messageOf);
    // Of overlapping searches the last one counts.
    if (own !== last.current) return;
    refusal.value = typeof read === "string" ? read : "";
    found.value = typeof read === "string" ? null : read;
  };
  useEffect(() => {
    const timer = setTimeout(() => void find(), pauseMs);
    return () => clearTimeout(timer);
  }, [words.value]);
  return { find, found, refusal, words };
}

function Found({
  found,
  onChoose,
}: {
  found: FoundCustomers | null;
  onChoose: (customer: FoundCustomer) => void;
}): JSX.Element | null {
  if (!found) return null;
  const { customers, isNear } = found;
  return (
    <>
      <p role="status">
        {customers.length === 0 ? "No match." : isNear ? "No exact match. Closest matches:" : ""}
      </p>
      <ul class="choices" aria-label="Customers">
        {customers.map((customer) => (
          <li key={customer.id}>
            <button type="button" onClick={() => onChoose(customer)}>
              <strong dir="auto">{customer.name}</strong>
              {customer.address && <span dir="auto">{customer.address}</span>}
              {customer.contact && (
                <span class="quiet" dir="auto">
                  {customer.contact}
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

type Hit = OperationsAt<NewestVersion>["search.find"]["answer"]["results"][number];

interface FoundCustomers {
  customers: readonly FoundCustomer[];
  /** No customer matches all words. */
  isNear: boolean;
}

async function findCustomers({ client }: Session, q: string): Promise<FoundCustomers> {
  const { nearest, results } = await client.call("search.find", {
    query: { active: true, limit: hitsMax, q },
  });
  const found = toCustomers(results);
  return found.length > 0
    ? { customers: found, isNear: false }
    : { customers: toCustomers(nearest), isNear: true };
}

const hitsMax = 20;

function toCustomers(hits: readonly Hit[]): FoundCustomer[] {
  const found = new Map<number, FoundCustomer>();
  for (const hit of hits) {
    const id = hit.kind === "customer" ? hit.id : hit.kind === "job" ? hit.customer_id : null;
    if (id !== null && !found.has(id)) found.set(id, toFoundCustomer(hit, id));
  }
  return [...found.values()];
}

export function toFoundCustomer(hit: Hit, id: number): FoundCustomer {
  const { address, address_id, contact_name, contact_number, customer_name, kind, location_id, name } = hit;
  return {
    address,
    addressId: address_id,
    contact: [contact_name, showPhone(contact_number ?? "")].filter(Boolean).join(" "),
    id,
    locationId: location_id,
    name: kind === "customer" ? name : (customer_name ?? `customer ${id}`),
  };
}
