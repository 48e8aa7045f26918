import type { ComponentChildren, JSX } from "preact";
import { stateSigns } from "../../../board/job-words.ts";
import { toAddressLines } from "../../../models/address-lines.ts";
import { useBoard } from "../board-context.ts";
import { toAssetText, toDialled } from "../job-text.ts";
import { type Job, seesFleet } from "../state/read-day.ts";
import type { HistoryEntry } from "../state/read-history.ts";
import { toShownJob } from "../state/show-job.ts";
import { toRequirements, toStateText } from "./job-history.tsx";
import { DriverMessages } from "./messages-dialog.tsx";

export function JobFacts({ history, job }: { history: readonly HistoryEntry[]; job: Job }): JSX.Element {
  const { session, state } = useBoard();
  const shown = toShownJob(state, job);
  const zone = state.zoneOf(job.location_id);
  const view = { today: state.today.value, zone };
  const fleet = state.fleetOf(job.location_id);
  const truck = fleet?.trucks.find(({ id }) => id === job.truck_id);
  const driver = fleet?.drivers.find(({ id }) => id === truck?.driver_id);
  const isDispatching = session.roles.includes("Dispatcher") || session.roles.includes("Admin");
  const required = toRequirements(job);
  const address = job.customer?.addresses.find(({ id }) => id === job.address_id);
  const asset = toAssetText(job);
  return (
    <dl class="facts">
      <Fact name="State">
        <span aria-hidden="true">{stateSigns[shown.state]} </span>
        {toStateText(job, history, view)}
        {shown.is_late && <strong class="alarm"> late</strong>}
      </Fact>
      {job.customer && <Contacts customer={job.customer} />}
      {address && (
        <Fact name="Address">
          {toAddressLines(address).map((line) => (
            <bdi key={line}>{line}</bdi>
          ))}
        </Fact>
      )}
      {seesFleet(session) && (
        <Fact name="Truck">
          <span>
            <bdi>{job.truck_id === null ? "none" : (truck?.name ?? `truck ${job.truck_id}`)}</bdi>
            {driver && (
              <>
                {" · "}
                <bdi>{driver.name}</bdi>
              </>
            )}
          </span>{" "}
          {driver && isDispatching && <DriverMessages driver={driver} />}
        </Fact>
      )}
      {asset !== "" && (
        <Fact name="Asset">
          <bdi>{asset}</bdi>
        </Fact>
      )}
      <Fact name="Location">
        <bdi>{fleet?.location.name}</bdi> <span class="quiet">({zone.name})</span>
      </Fact>
      {required.length > 0 && <Fact name="To complete it">{required.join(", ")}</Fact>}
    </dl>
  );
}

function Fact({ children, name }: { children: ComponentChildren; name: string }): JSX.Element {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function Contacts({ customer }: { customer: NonNullable<Job["customer"]> }): JSX.Element {
  const { contacts, note } = customer;
  return (
    <>
      {contacts.length > 0 && (
        <Fact name="Contacts">
          {contacts.map(({ email, id, name, number }) => (
            <span class="contact" key={id}>
              <bdi>{name}</bdi>{" "}
              {number && (
                <a href={toDialled(number)}>
                  <bdi dir="ltr">{number}</bdi>
                </a>
              )}{" "}
              <bdi class="quiet">{email}</bdi>
            </span>
          ))}
        </Fact>
      )}
      {note && (
        <Fact name="About the customer">
          <bdi>{note}</bdi>
        </Fact>
      )}
    </>
  );
}
