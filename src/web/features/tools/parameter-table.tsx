import { pickLanguage } from "../../ui/format/bilingual-text.ts";
import { useLanguage, useMessages } from "../../session/language.ts";
import styles from "./tool-page.module.css";

/**
 * A table of parameters. `withRequired` adds the column with requirement or default value. The columns of names and
 * descriptions are left out if all are empty.
 */
export function ParameterTable({
  rows,
  label,
  withRequired = true,
}: {
  readonly rows: readonly SchemaParameter[];
  readonly label: string;
  readonly withRequired?: boolean;
}) {
  const t = useMessages("tools");
  const language = useLanguage();
  const isNamed = rows.some(({ name }) => name !== "");
  const isExplained = rows.some(({ description }) => description !== "");
  return (
    // Wide tables scroll and must be reachable by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["scroll"]} role="region" aria-label={label} tabIndex={0}>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {isNamed ? <th scope="col">{t("name")}</th> : null}
            <th scope="col">{t("type")}</th>
            {withRequired ? <th scope="col">{t("required")}</th> : null}
            {isExplained ? <th scope="col">{t("description")}</th> : null}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, type, isRequired, description, defaultValue }) => (
            <tr key={name}>
              {isNamed ? (
                <th scope="row">
                  <code>{name}</code>
                </th>
              ) : null}
              <td>
                <code>{type}</code>
              </td>
              {withRequired ? (
                <td>
                  {defaultValue === undefined
                    ? t(isRequired ? "yes" : "no")
                    : t("noWithDefault", { usual: defaultValue })}
                </td>
              ) : null}
              {isExplained ? <td>{pickLanguage(language, description)}</td> : null}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

// Converts a JSON Schema to rows of a table.

type SchemaParameter = {
  /** The path within objects and lists: `range.from`, `points[].x`. Empty for a schema that is not an object. */
  readonly name: string;
  /** For example `string`, `integer | null`, `number[]`, `"up" | "down"`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
  /** The default value as JSON. */
  readonly defaultValue?: string;
};

type JsonSchemaNode = Readonly<Record<string, unknown>>;

const MAX_SCHEMA_DEPTH = 6;

/**
 * Returns one row per property, each followed by its nested properties, up to a depth of `MAX_SCHEMA_DEPTH`. `prefix`
 * and `depth` are for the recursion. A property with a default value is not required.
 */
export function listParameters(schema: JsonSchemaNode, prefix = "", depth = 0): SchemaParameter[] {
  if (depth >= MAX_SCHEMA_DEPTH) return [];
  const required = Array.isArray(schema["required"]) ? (schema["required"] as unknown[]) : [];
  return Object.entries(toRecord(schema["properties"])).flatMap(([key, raw]) => {
    const field = toRecord(raw);
    const name = prefix + key;
    const row = {
      name,
      type: formatSchemaType(field),
      isRequired: required.includes(key) && field["default"] === undefined,
      description: describeSchema(field),
      ...(field["default"] === undefined ? {} : { defaultValue: JSON.stringify(field["default"]) }),
    };
    return [
      row,
      ...listParameters(field, `${name}.`, depth + 1),
      ...listParameters(toRecord(field["items"]), `${name}[].`, depth + 1),
    ];
  });
}

/**
 * Returns the rows of a return value: the value itself, named "", followed by its nested properties. The first is left
 * out for an object with properties and without a description. {} has no rows.
 */
export function listReturnFields(schema: JsonSchemaNode): SchemaParameter[] {
  const inside = [...listParameters(schema), ...listParameters(toRecord(schema["items"]), "[].")];
  const isPlainObject = schema["type"] === "object" && inside.length > 0 && describeSchema(schema) === "";
  if (isPlainObject || Object.keys(schema).length === 0) return inside;
  return [
    { name: "", type: formatSchemaType(schema), isRequired: false, description: describeSchema(schema) },
    ...inside,
  ];
}

/** Formats the type of a schema; see `SchemaParameter`. "any" without a type; "…" below `MAX_SCHEMA_DEPTH`. */
export function formatSchemaType(schema: JsonSchemaNode, depth = 0): string {
  if (depth >= MAX_SCHEMA_DEPTH) return "…";
  const { type, items, const: only } = schema;
  const choices = schema["enum"];
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join(" | ");
  const forms = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(forms))
    return [...new Set(forms.map((form) => formatSchemaType(toRecord(form), depth + 1)))].join(" | ");
  if (type === "array") {
    const inner = formatSchemaType(toRecord(items), depth + 1);
    return inner.includes(" | ") ? `(${inner})[]` : `${inner}[]`;
  }
  if (Array.isArray(type)) return type.map(String).join(" | ");
  return typeof type === "string" ? type : "any";
}

function describeSchema(schema: JsonSchemaNode): string {
  const { description, minimum, maximum } = schema;
  return [
    typeof description === "string" ? description : "",
    typeof minimum === "number" ? `≥ ${minimum}` : "",
    typeof maximum === "number" ? `≤ ${maximum}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function toRecord(value: unknown): JsonSchemaNode {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonSchemaNode) : {};
}
