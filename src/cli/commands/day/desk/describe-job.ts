import type { BoardJob } from "../../../../board/board.ts";
import { toCustomerText } from "../../../../board/job-words.ts";
import type { Client } from "../../../../client/client.ts";
import { toNotes, toPrintedAddress, toRequirements, toWhen } from "../../../../documents/job-words.ts";
import type { TimeView } from "../../../../local-time/show-time.ts";

export async function describeJob(client: Client, job: BoardJob, view: TimeView): Promise<string[]> {
  const params = { job_id: job.id, location_id: job.location_id };
  const whole = await client.call("jobs.get", { params });
  const { customer } = whole;
  const { day, time } = toWhen(whole, view);
  const address = customer?.addresses.find(({ id }) => id === whole.address_id);
  const people = (customer?.contacts ?? []).map(({ email, name, number }) =>
    [name, number, email].filter(Boolean).join(" · "),
  );
  const facts: [string, string | null | undefined][] = [
    ["When", [day ?? "no date", time].filter(Boolean).join(", ")],
    ["Address", toPrintedAddress(address).join(", ")],
    ...people.map((person): [string, string] => ["Call", person]),
    ["Asset", whole.desired_asset_desc ?? whole.asset_type?.name],
    ["Reference", whole.reference_number],
    ["Needs", toRequirements(whole).join(", ")],
    ["Note", customer?.note],
    ...toNotes(whole).map(({ label, text }): [string, string] => [label, text]),
    ["Failed", whole.fail_reason],
  ];
  return [
    `Job ${job.id} · ${job.type_name} · ${toCustomerText(job)} · ${job.state}`,
    ...facts.flatMap(([label, text]) => (text ? [`${label.padEnd(11)}${text.replaceAll("\n", " · ")}`] : [])),
  ];
}
