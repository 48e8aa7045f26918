import { describe, expect, it } from "vitest";
import { boolean, choice, id, text, timestamp } from "../../src/models/fields.ts";
import { mapSchema, toJsonSchema } from "../../src/models/json-schema.ts";
import { defineModel, list, nullable, optional, unnamedModel } from "../../src/models/model.ts";

const WheelModel = defineModel("WheelModel", { id: id() });
const CartModel = defineModel("CartModel", {
  wheels: list(WheelModel, { min: 2 }).meta({ flag: "wheel", description: "what it rolls on" }),
  spare: optional(WheelModel),
  brake: optional(boolean().describe("held down to stop")),
  colour: nullable(choice(["red", "blue"])),
  sold_on: optional(timestamp("past")).describe("day of sale"),
});

describe("the JSON Schema of a model", () => {
  it("describes what is sent", () => {
    expect(toJsonSchema(CartModel, "input")).toMatchInlineSnapshot(`
      {
        "$defs": {
          "BooleanInput": {
            "anyOf": [
              {
                "type": "boolean",
              },
              {
                "enum": [
                  0,
                  1,
                ],
                "type": "integer",
              },
              {
                "pattern": "^(?:[01]|[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])$",
                "type": "string",
              },
            ],
            "description": "true or false; also 0, 1 and these words as text in any case",
          },
          "CartModel": {
            "additionalProperties": false,
            "properties": {
              "brake": {
                "anyOf": [
                  {
                    "$ref": "#/$defs/BooleanInput",
                  },
                  {
                    "type": "null",
                  },
                ],
                "description": "held down to stop",
              },
              "colour": {
                "enum": [
                  "red",
                  "blue",
                  null,
                ],
                "type": [
                  "string",
                  "null",
                ],
              },
              "sold_on": {
                "description": "day of sale (UTC where it names no zone)",
                "examples": [
                  "2026-11-21T08:30:00Z",
                ],
                "maxLength": 64,
                "type": [
                  "string",
                  "null",
                ],
                "x-when": "past",
              },
              "spare": {
                "anyOf": [
                  {
                    "$ref": "#/$defs/WheelModel",
                  },
                  {
                    "type": "null",
                  },
                ],
              },
              "wheels": {
                "description": "what it rolls on",
                "items": {
                  "$ref": "#/$defs/WheelModel",
                },
                "minItems": 2,
                "type": "array",
              },
            },
            "required": [
              "wheels",
              "colour",
            ],
            "type": "object",
          },
          "WheelModel": {
            "additionalProperties": false,
            "properties": {
              "id": {
                "minimum": 1,
                "type": "integer",
              },
            },
            "required": [
              "id",
            ],
            "type": "object",
          },
        },
        "$ref": "#/$defs/CartModel",
      }
    `);
  });

  it("describes what is answered", () => {
    expect(toJsonSchema(CartModel, "output").$defs.CartModel).toMatchInlineSnapshot(`
      {
        "properties": {
          "brake": {
            "description": "held down to stop",
            "type": [
              "boolean",
              "null",
            ],
          },
          "colour": {
            "enum": [
              "red",
              "blue",
              null,
            ],
            "type": [
              "string",
              "null",
            ],
          },
          "sold_on": {
            "description": "day of sale (UTC)",
            "examples": [
              "2026-11-21T08:30:00.000000",
            ],
            "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$",
            "type": [
              "string",
              "null",
            ],
          },
          "spare": {
            "anyOf": [
              {
                "$ref": "#/$defs/WheelModel",
              },
              {
                "type": "null",
              },
            ],
          },
          "wheels": {
            "description": "what it rolls on",
            "items": {
              "$ref": "#/$defs/WheelModel",
            },
            "minItems": 2,
            "type": "array",
          },
        },
        "required": [
          "brake",
          "colour",
          "sold_on",
          "spare",
          "wheels",
        ],
        "type": "object",
      }
    `);
  });

  it("is the schema itself when the model has no name", () => {
    expect(toJsonSchema(unnamedModel({ page: id().describe("from 1") }), "input")).toEqual({
      $defs: {},
      type: "object",
      properties: { page: { type: "integer", minimum: 1, description: "from 1" } },
      required: ["page"],
      additionalProperties: false,
    });
  });

  it("gives each use of a shared field its own description", () => {
    const name = text(1, 9);
    const model = unnamedModel({ first: name, second: name.describe("the other"), third: optional(name) });

    expect(toJsonSchema(model, "input").properties).toEqual({
      first: { type: "string", minLength: 1, maxLength: 9 },
      second: { type: "string", minLength: 1, maxLength: 9, description: "the other" },
      third: { type: ["string", "null"], minLength: 1, maxLength: 9 },
    });
  });
});

describe("mapping a schema", () => {
  it("changes every schema inside it and leaves the given one alone", () => {
    const schema = {
      properties: { a: { type: "string" }, items: { items: { type: "null" } } },
      anyOf: [{ $ref: "b" }],
    };
    const before = structuredClone(schema);

    expect(mapSchema(schema, (part) => ({ ...part, seen: true }))).toEqual({
      properties: {
        a: { type: "string", seen: true },
        items: { items: { type: "null", seen: true }, seen: true },
      },
      anyOf: [{ $ref: "b", seen: true }],
      seen: true,
    });
    expect(schema).toEqual(before);
  });
});
