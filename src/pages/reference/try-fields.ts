import type { JsonSchema } from "../../models/fields.ts";

/** Where the value of a field is. Writing undefined removes it. */
export interface Place {
  read(): unknown;
  write(value: unknown): void;
}

type Properties = Readonly<Record<string, JsonSchema>>;

/** Inputs for the properties of an object: those that are required or set, and the others folded. */
export function toFields(schema: JsonSchema, place: Place): HTMLElement[] {
  const properties = (schema.properties ?? {}) as Properties;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const given = readObject(place);
  const names = Object.keys(properties);
  const shown = [...required, ...names.filter((name) => name in given && !required.includes(name))];
  const others = names.filter((name) => !shown.includes(name));
  const toOwn = (name: string) =>
    toField(properties[name] ?? {}, name, required.includes(name), partOf(place, name));
  if (others.length <= fewFields) return [...shown, ...others].map(toOwn);
  const folded = make("div", { className: "inputs" }, ...others.map(toOwn));
  const more = make("details", {}, make("summary", {}, `${others.length} more fields`), folded);
  return [...shown.map(toOwn), more];
}

const fewFields = 3;

function partOf(place: Place, name: string): Place {
  return {
    read: () => readObject(place)[name],
    write: (value) => {
      const { [name]: _, ...others } = readObject(place);
      place.write(value === undefined ? others : { ...readObject(place), [name]: value });
    },
  };
}

function readObject(place: Place): Record<string, unknown> {
  const value = place.read();
  return isObject(value) ? value : {};
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function toField(schema: JsonSchema, name: string, isRequired: boolean, place: Place): HTMLElement {
  const title = `${name}${isRequired ? " (required)" : ""}`;
  if (schema.properties) return make("fieldset", {}, make("legend", {}, title), ...toFields(schema, place));
  if (schema.items) return toList(schema.items as JsonSchema, name, title, place);
  const { note = "", input } = toInput(schema, place);
  input.required = isRequired;
  if (typeof schema.description === "string") input.title = schema.description;
  return make("p", {}, make("label", {}, make("span", {}, title + note), input));
}

function toList(schema: JsonSchema, name: string, title: string, place: Place): HTMLElement {
  const read = () => (Array.isArray(place.read()) ? (place.read() as unknown[]) : []);
  const items = make("div", {});
  const add = make("button", { type: "button" }, "Add");
  const show = () => items.replaceChildren(...read().map((_, index) => toItem(index)));
  const change = (list: unknown[]) => {
    place.write(list.length === 0 ? undefined : list);
    show();
  };
  const toItem = (index: number) => {
    const remove = make("button", { type: "button" }, `Remove ${index + 1}`);
    remove.addEventListener("click", () => {
      change(read().toSpliced(index, 1));
      add.focus();
    });
    const own = {
      read: () => read()[index],
      write: (value: unknown) => place.write(read().with(index, value ?? "")),
    };
    return make("div", {}, toField(schema, `${name} ${index + 1}`, false, own), remove);
  };
  add.addEventListener("click", () => {
    change([...read(), schema.properties ? {} : ""]);
    items.lastElementChild?.querySelector<HTMLElement>("input, select, summary")?.focus();
  });
  show();
  return make("fieldset", {}, make("legend", {}, title), items, make("p", {}, add));
}

type Input = HTMLInputElement | HTMLSelectElement;

function toInput(schema: JsonSchema, place: Place): { input: Input; note?: string } {
  const types = typesOf(schema);
  const booleans = types.includes("null") ? [true, false, null] : [true, false];
  const choices = Array.isArray(schema.enum) ? schema.enum : types.includes("boolean") ? booleans : null;
  if (choices) return { input: toSelect(choices, place) };
  const isNumber = types.includes("integer") || types.includes("number");
  if (isNumber) {
    const { maximum = "", minimum = "" } = schema;
    const step = types.includes("integer") ? "1" : "any";
    const bounds = { max: String(maximum), min: String(minimum), step };
    return { input: toTextInput({ type: "number", ...bounds }, place, String, Number) };
  }
  const [example = ""] = Array.isArray(schema.examples) ? schema.examples : [];
  if (/^\d{4}-\d\d-\d\dT/.test(String(example)))
    return {
      input: toTextInput({ type: "datetime-local", step: "1" }, place, toClock, fromClock),
      note: ", UTC",
    };
  if (types.includes("string")) {
    const type = schema.format === "password" ? "password" : "text";
    return { input: toTextInput({ placeholder: String(example), type }, place, String, (text) => text) };
  }
  const toJson = (value: unknown) => JSON.stringify(value);
  return { input: toTextInput({ type: "text" }, place, toJson, (text) => JSON.parse(text)), note: ", JSON" };
}

const typesOf = ({ anyOf, type }: JsonSchema): unknown[] =>
  [type, ...(Array.isArray(anyOf) ? anyOf : []).map(typesOf)].flat();

function toSelect(choices: readonly unknown[], place: Place): HTMLSelectElement {
  const current = place.read();
  const isChosen = (choice: unknown) => current !== undefined && String(choice) === String(current);
  const options = choices.map((choice) =>
    make("option", { selected: isChosen(choice), value: JSON.stringify(choice) }, String(choice)),
  );
  const select = make("select", {}, make("option", { value: "" }), ...options);
  select.addEventListener("input", () =>
    place.write(select.value === "" ? undefined : JSON.parse(select.value)),
  );
  return select;
}

function toTextInput(
  attributes: Partial<HTMLInputElement>,
  place: Place,
  toText: (value: unknown) => string,
  fromText: (text: string) => unknown,
): HTMLInputElement {
  const current = place.read();
  const value = current === undefined || current === null ? "" : toText(current);
  const input = make("input", { autocomplete: "off", spellcheck: false, ...attributes, value });
  if (current === null) input.placeholder = "null";
  input.addEventListener("input", () => {
    try {
      input.setCustomValidity("");
      place.write(input.value === "" ? undefined : fromText(input.value));
    } catch {
      input.setCustomValidity("Write valid JSON.");
    }
  });
  return input;
}

/** The service reads a time without a zone as UTC. An unreadable time shows as empty. */
function toClock(value: unknown): string {
  const text = String(value);
  const ms = Date.parse(/T[\d:.]+$/.test(text) ? `${text}Z` : text);
  return Number.isNaN(ms) ? "" : new Date(ms).toISOString().slice(0, "2026-11-21T08:30:00".length);
}

const fromClock = (text: string) => `${text.length === "2026-11-21T08:30".length ? `${text}:00` : text}Z`;

function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), attributes);
  element.append(...children);
  return element;
}
