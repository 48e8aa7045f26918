import { describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { fieldKinds, id, text } from "../../src/models/fields.ts";
import { lazySchema, toZod } from "../../src/models/lazy-schema.ts";
import { defineModel, optional } from "../../src/models/model.ts";

describe("a lazily built schema", () => {
  it("is built once, by the first parse, and not for its field names", () => {
    const make = vi.fn(() => z.strictObject({ a: z.string() }));
    const schema = lazySchema({ type: "object", shape: { a: z.string() } }, make);
    const described = schema.describe("a letter");

    expect([schema.type, Object.keys(schema.shape), described.meta()]).toEqual([
      "object",
      ["a"],
      { description: "a letter" },
    ]);
    expect(make).not.toHaveBeenCalled();
    expect(schema.safeParse({ a: "b" }).success).toBe(true);
    expect(described.safeParse({ a: 1 }).success).toBe(false);
    expect(make).toHaveBeenCalledOnce();
  });

  it("has every other member of a zod schema", () => {
    const schema = lazySchema({ type: "string" }, () => z.string());

    expect(schema.min(3).safeParse("ab").success).toBe(false);
    expect(schema).toBeInstanceOf(z.ZodString);
    expect(toZod(schema)).toBe(toZod(schema));
  });

  it("describes itself as zod does: a derived schema keeps the description but not the name", () => {
    const ofZod = z.strictObject({}).meta({ id: "Lent", description: "lent" });
    const lazy = defineModel("Lent", {}, { description: "lent" });

    for (const schema of [ofZod, lazy]) {
      expect(schema.meta()).toEqual({ id: "Lent", description: "lent" });
      expect(schema.describe("given").meta()).toEqual({ description: "given" });
      expect(schema.meta({ flag: "give" }).meta()).toEqual({ description: "lent", flag: "give" });
      expect(schema.optional().meta()).toBeUndefined();
    }
  });

  it("keeps its kind when it gets a description, and in its zod form", () => {
    const field = id();

    expect(fieldKinds.get(field.describe("which"))).toBe(fieldKinds.get(field));
    expect(fieldKinds.get(toZod(field.describe("which")))).toBe(fieldKinds.get(field));
    expect(fieldKinds.get(optional(field))).toBeUndefined();
    expect(fieldKinds.get(text(0, 9))).not.toBe(fieldKinds.get(field));
  });
});
