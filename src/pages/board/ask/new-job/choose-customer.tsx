import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { messageOf } from "../../../message-of.ts";
import { useBoard } from "../../board-context.ts";
import { type FoundCustomer, type FoundCustomers, findCustomers } from "./find-customers.ts";

/** How long somebody has to pause in typing to be understood to have typed enough. */
const pauseMs = 200;

/** Finds the customer that a job is for. */
export function ChooseCustomer({ onChoose }: { onChoose: (customer: FoundCustomer) => void }): JSX.Element {
  const { session } = useBoard();
  const words = useSignal("");
  const found = useSignal<FoundCustomers | null>(null);
  const refusal = useSignal("");
  const last = useRef(0);
  const find = async () => {
    last.current += 1;
    const own = last.current;
    const q = words.value.trim();
    const read = q === "" ? null : await findCustomers(session, q).catch(messageOf);
    // Of searches that overlap the last one counts.
    if (own !== last.current) return;
    refusal.value = typeof read === "string" ? read : "";
    found.value = typeof read === "string" ? null : read;
  };
  useEffect(() => {
    const timer = setTimeout(() => void find(), pauseMs);
    return () => clearTimeout(timer);
  }, [words.value]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void find();
  };
  return (
    <form class="new-job" onSubmit={submit}>
      <label>
        Who calls? A name, phone number, street or reference
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
      <p role="alert">{refusal.value}</p>
      <Found found={found.value} onChoose={onChoose} />
    </form>
  );
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
        {customers.length === 0
          ? "Nobody is found by these words."
          : isNear
            ? "Nobody has all of these words; these are near."
            : ""}
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
