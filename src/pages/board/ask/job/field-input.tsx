import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { JobField } from "./job-fields.ts";

/** A choice, and what it is called. */
export type Choice = readonly [value: string, name: string];

interface FieldInputProps {
  field: Pick<JobField, "as" | "charsMax" | "forms" | "label">;
  value: string;
  /** What can be chosen where the field is a choice. */
  choices?: readonly Choice[];
  /** It has the focus first. */
  isFirst?: boolean;
  refusal?: string | undefined;
  /** What somebody else has made of it; undefined: it is as it was. */
  theirs?: string | undefined;
  onType: (text: string) => void;
}

/** A field of a form, with what is wrong with it and what may be typed beside it. */
export function FieldInput(props: FieldInputProps): JSX.Element {
  const { choices = [], field, isFirst = false, onType, refusal, theirs, value } = props;
  const id = useId();
  const says = [
    refusal && `${id}-refusal`,
    theirs !== undefined && `${id}-theirs`,
    field.forms && `${id}-forms`,
  ];
  const common = {
    "aria-describedby": says.filter(Boolean).join(" ") || undefined,
    "aria-invalid": refusal ? true : undefined,
    id,
    "data-first": isFirst || undefined,
  };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onType(currentTarget.value);
  const text = { ...common, autocomplete: "off", maxLength: field.charsMax, onInput, value };
  if (field.as === "mark")
    return (
      <p class="field mark">
        <input
          {...common}
          type="checkbox"
          checked={value === "true"}
          onChange={({ currentTarget }) => onType(String(currentTarget.checked))}
        />
        <label for={id}>{field.label}</label>
      </p>
    );
  return (
    <div class={field.as === "lines" ? "field wide" : "field"}>
      <label for={id}>{field.label}</label>
      {field.as === "choice" && (
        <select {...common} value={value} onChange={onInput}>
          {choices.map(([of, name]) => (
            <option key={of} value={of}>
              {name}
            </option>
          ))}
        </select>
      )}
      {field.as === "lines" && <textarea {...text} dir="auto" rows={2} />}
      {field.as === "line" && <input {...text} dir="auto" />}
      {field.as === "count" && <input {...text} type="number" min={0} step={1} />}
      {refusal && (
        <p class="alarm" id={`${id}-refusal`}>
          {refusal}
        </p>
      )}
      {theirs !== undefined && (
        <p class="theirs" id={`${id}-theirs`}>
          now: <bdi>{theirs === "" ? "nothing" : theirs}</bdi>
        </p>
      )}
      {field.forms && (
        <p class="forms quiet" id={`${id}-forms`}>
          {field.forms}
        </p>
      )}
    </div>
  );
}
