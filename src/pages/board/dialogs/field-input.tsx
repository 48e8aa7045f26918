import type { JSX } from "preact";
import { useId } from "preact/hooks";
import type { JobField } from "../forms/job-fields.ts";

export type Choice = readonly [value: string, name: string];

interface FieldInputProps {
  field: Pick<JobField, "charsMax" | "forms" | "label"> & { as: JobField["as"] | "url" | "weight" };
  value: string;
  choices?: readonly Choice[];
  isFirst?: boolean;
  isDisabled?: boolean;
  refusal?: string | undefined;
  theirs?: string | undefined;
  onType: (text: string) => void;
}

export function FieldInput(props: FieldInputProps): JSX.Element {
  const { field, refusal, theirs } = props;
  const id = useId();
  if (field.as === "mark")
    return (
      <p class="field mark">
        <Control {...props} id={id} />
        <label for={id}>{field.label}</label>
      </p>
    );
  return (
    <div class={field.as === "lines" ? "field wide" : "field"}>
      <label for={id}>{field.label}</label>
      <Control {...props} id={id} />
      <div id={`${id}-more`}>
        {refusal && <p class="alarm">{refusal}</p>}
        {theirs !== undefined && (
          <p class="theirs">
            now: <bdi>{theirs === "" ? "nothing" : theirs}</bdi>
          </p>
        )}
        {field.forms && <p class="forms quiet">{field.forms}</p>}
      </div>
    </div>
  );
}

function Control(props: FieldInputProps & { id: string }): JSX.Element {
  const { choices = [], field, id, isDisabled = false, isFirst = false, onType, refusal, value } = props;
  const common = {
    "aria-describedby": `${id}-more`,
    "aria-invalid": refusal ? true : undefined,
    "data-first": isFirst || undefined,
    disabled: isDisabled,
    id,
  };
  const onInput = ({ currentTarget }: { currentTarget: { value: string } }) => onType(currentTarget.value);
  const text = { ...common, autocomplete: "off", maxLength: field.charsMax, onInput, value };
  if (field.as === "lines") return <textarea {...text} dir="auto" rows={2} />;
  if (field.as === "line") return <input {...text} dir="auto" />;
  if (field.as === "url") return <input {...text} type="url" />;
  if (field.as === "weight") return <input {...text} inputMode="decimal" />;
  if (field.as === "count") return <input {...text} type="number" min={0} step={1} />;
  if (field.as === "choice")
    return (
      <select {...common} value={value} onChange={onInput}>
        {choices.map(([of, name]) => (
          <option key={of} value={of}>
            {name}
          </option>
        ))}
      </select>
    );
  return (
    <input
      data-first={isFirst || undefined}
      id={id}
      type="checkbox"
      checked={value === "true"}
      onChange={({ currentTarget }) => onType(String(currentTarget.checked))}
    />
  );
}
