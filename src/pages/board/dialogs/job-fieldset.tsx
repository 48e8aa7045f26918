import { type ReadonlySignal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import type { Listed } from "../../../client/call-types.ts";
import type { NewestVersion, OperationsAt } from "../../../client/wire.ts";
import { findObstacle } from "../../../models/job-life.ts";
import { mayChange } from "../../../models/job-rights.ts";
import { jobTypes, toTypeName } from "../../../models/job-types.ts";
import { useBoard } from "../board-context.ts";
import { type JobField, jobFields } from "../forms/job-fields.ts";
import type { JobForm } from "../forms/job-form.ts";
import type { Job } from "../state/read-day.ts";
import { type Choice, FieldInput } from "./field-input.tsx";

export function JobFieldset({ form, job }: { form: JobForm; job: Job }): JSX.Element {
  const { session } = useBoard();
  const choices = useChoices(job);
  const isOpen = findObstacle(job, "edit") === null;
  // Typed text stays visible, even if the user may no longer save it.
  const isInput = ({ names }: JobField) =>
    form.typed.value.has(names[0]) || (isOpen && names.every((name) => mayChange(session.roles, name, job)));
  const shown = jobFields.filter(({ names: [name] }) => name !== "fail_reason" || job.is_failed);
  const texts = shown.filter((field) => !isInput(field) && toFieldText(field, job, form, choices) !== "");
  return (
    <>
      {texts.length > 0 && (
        <dl class="facts">
          {texts.map((field) => (
            <div key={field.names[0]}>
              <dt>{field.label}</dt>
              <dd dir="auto">{toFieldText(field, job, form, choices)}</dd>
            </div>
          ))}
        </dl>
      )}
      <div class="fields">
        {shown.filter(isInput).map((field) => (
          <FieldInput
            key={field.names[0]}
            field={field}
            value={form.textOf(field)}
            choices={choices(field)}
            refusal={form.refusals.value.get(field.names[0])}
            theirs={toTheirs(field, job, form, choices)}
            onType={(text) => form.type(field, text)}
          />
        ))}
      </div>
    </>
  );
}

type ChoicesOf = (field: JobField) => readonly Choice[];

function useChoices(job: Job): ChoicesOf {
  const { state } = useBoard();
  const types = useAssetTypes(job.location_id);
  const fleet = state.fleetOf(job.location_id);
  const assetTypes = new Map(types.value.map(({ id, name }) => [String(id), name]));
  // A job may still have a deleted type.
  if (job.asset_type) assetTypes.set(String(job.asset_type.id), job.asset_type.name);
  const byName: Readonly<Record<string, readonly Choice[]>> = {
    asset_type_id: [["", "none"], ...assetTypes],
    dispatch_priority: [
      ["", "none"],
      ["H", "high"],
      ["M", "medium"],
      ["L", "low"],
    ],
    type: jobTypes.map((type): Choice => [type, toTypeName(fleet?.location ?? null, type)]),
  };
  return ({ names: [name] }) => byName[name] ?? [];
}

function toFieldText(field: JobField, job: Job, form: JobForm, choices: ChoicesOf): string {
  const value = field.show(job, form.at.value);
  if (field.as === "mark") return value === "true" ? "yes" : "";
  if (field.as !== "choice" || value === "") return value;
  return choices(field).find(([of]) => of === value)?.[1] ?? value;
}

/** undefined if the other user's value equals the shown one. */
function toTheirs(field: JobField, job: Job, form: JobForm, choices: ChoicesOf): string | undefined {
  const theirs = form.theirs.value;
  if (!theirs) return undefined;
  const text = toFieldText(field, theirs, form, choices);
  return text === toFieldText(field, job, form, choices) ? undefined : text;
}

type AssetType = Listed<OperationsAt<NewestVersion>["asset-types.list"]>;

/** Empty until the page has read them. */
export function useAssetTypes(location_id: number | null): ReadonlySignal<readonly AssetType[]> {
  const { session } = useBoard();
  const types = useSignal<readonly AssetType[]>([]);
  useEffect(() => {
    types.value = [];
    if (location_id === null) return;
    let isWanted = true;
    const query = { page_limit: 1000 };
    session.client
      .call("asset-types.list", { params: { location_id }, query })
      .then(({ results }) => {
        if (isWanted) types.value = results.filter(({ deleted }) => !deleted);
      })
      .catch(() => undefined);
    return () => {
      isWanted = false;
    };
  }, [location_id]);
  return types;
}
