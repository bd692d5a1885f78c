// Converts a JSON Schema to rows of a table.

export type Parameter = {
  /** The path within objects and lists: `range.from`, `points[].x`. Empty for a schema that is not an object. */
  readonly name: string;
  /** For example `string`, `integer | null`, `number[]`, `"up" | "down"`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The default value as JSON. */
  readonly usual?: string;
};

type Schema = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 6;

/** Returns one row per property, each followed by its nested properties, up to a depth of `MAX_DEPTH`. */
export function parametersOf(schema: Schema, prefix = "", depth = 0): Parameter[] {
  if (depth >= MAX_DEPTH) return [];
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  return Object.entries(record(schema["properties"])).flatMap(([key, raw]) => {
    const field = record(raw);
    const name = prefix + key;
    const row = {
      name,
      type: typeOf(field),
      isRequired: required.includes(key) && field["default"] === undefined,
      description: aboutOf(field),
      ...(field["default"] === undefined ? {} : { usual: JSON.stringify(field["default"]) }),
    };
    return [
      row,
      ...parametersOf(field, `${name}.`, depth + 1),
      ...parametersOf(record(field["items"]), `${name}[].`, depth + 1),
    ];
  });
}

/** Returns the rows of a return value: the value itself unless it is a plain object, followed by its properties. */
export function returnsOf(schema: Schema): Parameter[] {
  const inside = [...parametersOf(schema), ...parametersOf(record(schema["items"]), "[].")];
  const isPlainObject = schema["type"] === "object" && inside.length > 0 && aboutOf(schema) === "";
  if (isPlainObject || Object.keys(schema).length === 0) return inside;
  return [{ name: "", type: typeOf(schema), isRequired: false, description: aboutOf(schema) }, ...inside];
}

export function typeOf(schema: Schema, depth = 0): string {
  if (depth >= MAX_DEPTH) return "…";
  const { type, items, const: only } = schema;
  const choices = schema["enum"];
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(forms)) return [...new Set(forms.map((form) => typeOf(record(form), depth + 1)))].join(" | ");
  if (type === "array") {
    const inner = typeOf(record(items), depth + 1);
    return inner.includes(" | ") ? `(${inner})[]` : `${inner}[]`;
  }
  if (Array.isArray(type)) return type.map(String).join(" | ");
  return typeof type === "string" ? type : "any";
}

function aboutOf(schema: Schema): string {
  const { description, minimum, maximum } = schema;
  return [
    typeof description === "string" ? description : "",
    typeof minimum === "number" ? `≥ ${minimum}` : "",
    typeof maximum === "number" ? `≤ ${maximum}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function record(value: unknown): Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Schema) : {};
}
