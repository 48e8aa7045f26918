import type * as z from "zod";

/** The facts of a schema that need no zod. */
interface Facts {
  type: z.ZodType["type"];
  element?: z.ZodType;
  options?: readonly z.ZodType[];
  shape?: Readonly<Record<string, z.ZodType>>;
  unwrap?: () => z.ZodType;
}

type Metadata = Record<string, unknown>;

/** Builds the schema on first use: building all took a quarter of a short command's time. */
export function lazySchema<T extends z.ZodType>(facts: Facts, make: () => T): T {
  // Other members come from the zod schema.
  return new LazySchema(facts, make) as unknown as T;
}

export function toZod<T extends z.ZodType>(schema: T): T {
  return isLazy(schema) ? (schema.made() as T) : schema;
}

/** The schema before any descriptions were added. */
export function originOf(schema: z.core.$ZodType): z.core.$ZodType {
  const lazy = isLazy(schema) ? schema : (lazyOf.get(schema) ?? null);
  return lazy === null ? schema : lazy.origin;
}

const lazyOf = new WeakMap<z.core.$ZodType, LazySchema>();

const isLazy = (schema: unknown): schema is LazySchema & z.ZodType => schema instanceof LazySchema;

/** Looks up missing members in the zod schema. */
const rest: object = new Proxy(Object.prototype, {
  get(_, name, lazy: LazySchema) {
    const schema = lazy.made();
    const member: unknown = Reflect.get(schema, name, schema);
    return typeof member === "function" ? member.bind(schema) : member;
  },
});

class LazySchema {
  readonly type: Facts["type"];
  readonly #facts: Facts;
  readonly #make: () => z.ZodType;
  readonly #own: Metadata | undefined;
  readonly #parent: LazySchema | null;
  #made: z.ZodType | undefined;

  constructor(facts: Facts, make: () => z.ZodType, parent: LazySchema | null = null, own?: Metadata) {
    this.type = facts.type;
    this.#facts = facts;
    this.#make = make;
    this.#parent = parent;
    this.#own = own;
    Object.assign(this, facts);
  }

  static {
    Object.setPrototypeOf(LazySchema.prototype, rest);
  }

  get origin(): z.ZodType {
    return this.#parent?.origin ?? asSchema(this);
  }

  made(): z.ZodType {
    if (!this.#made) {
      this.#made = this.#make();
      lazyOf.set(this.#made, this);
    }
    return this.#made;
  }

  describe(description: string): LazySchema {
    return this.#with({ description });
  }

  meta(...[said]: [said?: Metadata]): LazySchema | Metadata | undefined {
    return said ? this.#with(said) : this.#metadata();
  }

  optional(): z.ZodType {
    return lazySchema({ type: "optional", unwrap: () => asSchema(this) }, () => this.made().optional());
  }

  nullable(): z.ZodType {
    return lazySchema({ type: "nullable", unwrap: () => asSchema(this) }, () => this.made().nullable());
  }

  #with(own: Metadata): LazySchema {
    return new LazySchema(this.#facts, () => this.made().meta(own), this, own);
  }

  /** Inherits all but the name, as zod does. */
  #metadata(): Metadata | undefined {
    if (!this.#parent) return this.#own;
    const { id: _name, ...inherited } = this.#parent.#metadata() ?? {};
    const all = { ...inherited, ...this.#own };
    return Object.keys(all).length > 0 ? all : undefined;
  }
}

const asSchema = (lazy: LazySchema) => lazy as unknown as z.ZodType;
