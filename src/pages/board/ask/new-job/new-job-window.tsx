import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { messageOf } from "../../../message-of.ts";
import { useBoard } from "../../board-context.ts";
import { Window } from "../window.tsx";
import { ChooseCustomer } from "./choose-customer.tsx";
import { createNewJob, type NewJob } from "./create-new-job.ts";
import type { FoundCustomer } from "./find-customers.ts";
import { NewJobForm } from "./new-job-form.tsx";

/** Makes a job for a customer that is found first. */
export function NewJobWindow(): JSX.Element {
  const parts = useBoard();
  const begun = useSignal<Begun | null>(null);
  const refusal = useSignal("");
  const leave = () => {
    parts.asked.value = null;
  };
  const chosen = useRef<FoundCustomer | null>(null);
  const choose = async (found: FoundCustomer) => {
    chosen.current = found;
    // Of customers that are chosen while one is read the last one counts.
    const isWanted = () => chosen.current === found;
    try {
      const customer = await parts.session.client.call("customers.get", {
        params: { customer_id: found.id },
      });
      if (!isWanted()) return;
      // Who has chosen it twice begins once: the second answer would take away what is typed by then.
      chosen.current = null;
      begun.value = { customer, job: createNewJob(parts, customer, found) };
      refusal.value = "";
    } catch (error) {
      if (isWanted()) refusal.value = messageOf(error);
    }
  };
  if (begun.value)
    return (
      <NewJobForm
        {...begun.value}
        onBack={() => {
          begun.value = null;
        }}
        onLeave={leave}
      />
    );
  return (
    <Window title="New job" onClose={leave}>
      <ChooseCustomer onChoose={(found) => void choose(found)} />
      <p role="alert">{refusal.value}</p>
    </Window>
  );
}

interface Begun {
  customer: Parameters<typeof createNewJob>[1];
  job: NewJob;
}
