import type { JSX } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { BoardJob } from "../../../board/board.ts";
import { useBoard } from "../board-context.ts";
import { type Completion, createCompletion, notesKey } from "../forms/completion.ts";
import { jobFields } from "../forms/job-fields.ts";
import {
  fieldsFor,
  type ProofField,
  proofParts,
  requirementHints,
  toFieldKey,
} from "../forms/proof-parts.ts";
import { Dialog, focusRefused, useClosing } from "./dialog.tsx";
import { type Choice, FieldInput } from "./field-input.tsx";

export function CompleteDialog({
  completion: given,
  job,
  onClose,
  onDone,
}: {
  completion?: Completion;
  job: BoardJob;
  onClose: () => void;
  onDone?: () => void;
}): JSX.Element {
  const parts = useBoard();
  const completion = useMemo(() => given ?? createCompletion(parts, job), []);
  const { close, question } = useClosing(completion.isUnsaved, onClose, "Complete");
  const { isBusy, isRequired, missing, problem } = completion;
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault();
    const { currentTarget } = event;
    if (!(await completion.complete())) return focusRefused(currentTarget);
    onClose();
    onDone?.();
  };
  const lacked = missing.value;
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => {
    form.current?.querySelector<HTMLElement>("select, input, textarea")?.focus();
  }, [lacked === null]);
  return (
    <Dialog title={`Complete job ${job.id}`} onClose={close}>
      <form ref={form} class="complete" noValidate onSubmit={(event) => void submit(event)}>
        {lacked && (
          <>
            <p>{toIntroduction(lacked.length > 0, isRequired)}</p>
            {proofParts.map((part) => (
              <Part key={part.name} completion={completion} part={part} />
            ))}
            {notesField && (
              <FieldInput
                field={{ ...notesField, label: "Notes" }}
                value={completion.textOf(notesKey)}
                onType={(text) => completion.type(notesKey, text)}
              />
            )}
          </>
        )}
        {!lacked && problem.value === "" && <p class="quiet">Reading what the job requires …</p>}
        <div class="ending">
          <p role="alert">{problem.value}</p>
          {question ?? (
            <p class="buttons">
              <button type="submit" disabled={!lacked || isBusy.value}>
                {isBusy.value ? "Completing …" : "Complete"}
              </button>
            </p>
          )}
        </div>
      </form>
    </Dialog>
  );
}

const notesField = jobFields.find(({ names: [name] }) => name === notesKey);

function toIntroduction(isLacking: boolean, isRequired: boolean): string {
  if (!isLacking) return "The job has everything that it requires.";
  return isRequired
    ? "The job requires this before you can complete it:"
    : "The job requires this. As a dispatcher you can skip it:";
}

function Part({
  completion,
  part,
}: {
  completion: Completion;
  part: (typeof proofParts)[number];
}): JSX.Element | null {
  const { materials, missing, refusals, sent, unit } = completion;
  const lacked = missing.value ?? [];
  const fields = fieldsFor(part, lacked);
  const state = sent.value.get(part.name);
  if (fields.length === 0) return null;
  const listed = materials.value.map(
    ({ description, id }): Choice => [String(id), description || `material ${id}`],
  );
  const hints = new Set(fields.map(({ meets }) => requirementHints[meets]));
  const shown = fields.filter(({ as }) => as !== "choice" || listed.length > 0);
  return (
    <fieldset class="part">
      <legend>{part.title}</legend>
      {state ? (
        <p role="status">{state === "stored" ? "Stored with the job." : unsureText}</p>
      ) : (
        <p class="quiet">{[...hints].join(" ")}</p>
      )}
      <div class="fields">
        {shown.map((field) => (
          <FieldInput
            key={field.name}
            field={{ ...field, label: toLabel(field, part.name === "material" ? unit.value : null) }}
            choices={[["", "not in the list"], ...listed]}
            isDisabled={state !== undefined}
            refusal={refusals.value.get(toFieldKey(part.name, field.name))}
            value={completion.textOf(toFieldKey(part.name, field.name))}
            onType={(text) => completion.type(toFieldKey(part.name, field.name), text)}
          />
        ))}
      </div>
    </fieldset>
  );
}

const unsureText =
  "The service did not answer, so it may have stored this. Complete sends it again; the service stores it only once.";

const toLabel = ({ as, label }: ProofField, unit: string | null) =>
  as === "weight" && unit ? `${label} (${unit})` : label;
