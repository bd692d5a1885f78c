import { describe, expect, test } from "vitest";
import {
  formatFields,
  findProblemField,
  buildFields,
  parseFieldTexts,
  parseRawArguments,
  type ArgumentValues,
  type FieldTexts,
} from "../../../src/web/features/conversations/question/schema-form.ts";

const SCHEMA = {
  type: "object",
  required: ["to", "count", "urgent"],
  properties: {
    to: { type: "string", title: "Recipient", description: "Who gets it." },
    count: { type: "integer" },
    ratio: { type: "number" },
    urgent: { type: "boolean" },
    quiet: { type: "boolean" },
    size: { enum: ["small", "large", 3] },
    tags: { type: "array", items: { type: "string" } },
    address: { type: "object" },
    either: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
};
const ARGS = { to: "ada", count: 2, urgent: true, size: "large", tags: ["a"], extra: { x: 1 } };

const listFieldKinds = (args: ArgumentValues) =>
  Object.fromEntries(buildFields(SCHEMA, args).map(({ name, kind }) => [name, kind]));
const parseChanges = (args: ArgumentValues, changes: Record<string, string>, schema: unknown = SCHEMA) => {
  const fields = buildFields(schema, args);
  const draft: FieldTexts = new Map([...formatFields(fields, args), ...Object.entries(changes)]);
  return parseFieldTexts(fields, draft, args);
};

describe("schema form", () => {
  test("has a field for each property of the schema and each given argument", () => {
    expect(listFieldKinds(ARGS)).toEqual({
      to: "text",
      count: "integer",
      ratio: "number",
      urgent: "boolean",
      quiet: "choice",
      size: "choice",
      tags: "json",
      address: "json",
      either: "json",
      extra: "json",
    });
    const [to] = buildFields(SCHEMA, ARGS);
    expect(to).toMatchObject({ label: "Recipient", description: "Who gets it.", isRequired: true, isLong: false });
  });

  test("returns unchanged arguments exactly", () => {
    expect(parseChanges(ARGS, {})).toEqual({ ok: true, arguments: ARGS });
    const hidden = { to: "a\u200bb\n  ", count: -0.5, urgent: "yes", size: "huge", tags: null };
    expect(parseChanges(hidden, {})).toEqual({ ok: true, arguments: hidden });
  });

  test.each([undefined, null, true, "x", { properties: [] }, { properties: { to: 7 } }])(
    "works with a missing or invalid schema: %j",
    (schema) => {
      expect(parseChanges(ARGS, {}, schema)).toEqual({ ok: true, arguments: ARGS });
    },
  );

  test("treats names of Object.prototype as ordinary names", () => {
    const args = JSON.parse('{"__proto__":{"a":1},"constructor":"x","toString":1}') as ArgumentValues;
    const result = parseChanges(args, {}, {});
    expect(result.ok && JSON.stringify(result.arguments)).toBe(JSON.stringify(args));
    const named = { properties: { toString: { type: "string" } } };
    expect(parseChanges({}, {}, named)).toEqual({ ok: true, arguments: {} });
  });

  test("parses a changed field by its type", () => {
    const result = parseChanges(ARGS, {
      to: "007",
      count: "12",
      ratio: "0.5",
      urgent: "false",
      quiet: "true",
      size: "3",
      tags: '["b"]',
    });
    expect(result).toEqual({
      ok: true,
      arguments: { ...ARGS, to: "007", count: 12, ratio: 0.5, urgent: false, quiet: true, size: 3, tags: ["b"] },
    });
  });

  test("reports the problem of each field", () => {
    expect(parseChanges(ARGS, { count: "1.5", ratio: "much", tags: "[", extra: "" })).toEqual({
      ok: false,
      problems: new Map([
        ["count", "integer"],
        ["ratio", "number"],
        ["tags", "json"],
      ]),
    });
    expect(parseChanges(ARGS, { count: " " })).toEqual({ ok: false, problems: new Map([["count", "required"]]) });
    expect(parseChanges({ count: 1, urgent: true }, {})).toEqual({
      ok: false,
      problems: new Map([["to", "required"]]),
    });
  });

  test("rejects numbers that cannot be represented exactly", () => {
    const inexact = (name: string) => ({ ok: false, problems: new Map([[name, "inexact"]]) });
    for (const count of ["9007199254740993", "-123456789012345678901"])
      expect([count, parseChanges(ARGS, { count })]).toEqual([count, inexact("count")]);
    expect(parseChanges(ARGS, { ratio: "0.12345678901234567891" })).toEqual(inexact("ratio"));
    expect(parseChanges(ARGS, { extra: '{"x":[9007199254740993]}' })).toEqual(inexact("extra"));
    for (const id of ["9007199254740993", "1e400"]) expect(parseRawArguments(`{"id":${id}}`)).toEqual(inexact(""));
    for (const [count, value] of [
      ["9007199254740992", 2 ** 53],
      ["0012", 12],
      ["+1.20e1", 12],
      ["-0", -0],
    ] as const) {
      expect([count, parseChanges(ARGS, { count })]).toMatchObject([count, { ok: true, arguments: { count: value } }]);
    }
    const exact = '{"id":"9007199254740993","a\\"1":[0.1,1.50,1E2,0.30000000000000004,1e-7,0.0]}';
    expect(parseRawArguments(exact)).toEqual({ ok: true, arguments: JSON.parse(exact) as unknown });
  });

  test("allows an empty text and omits an argument without a value", () => {
    expect(parseChanges(ARGS, { to: "" })).toMatchObject({ ok: true, arguments: { to: "" } });
    const result = parseChanges(ARGS, { size: "" });
    expect(result.ok && Object.keys(result.arguments)).toEqual(["to", "count", "urgent", "tags", "extra"]);
  });

  test("accepts raw arguments only as a JSON object", () => {
    expect(parseRawArguments('{"a":1}')).toEqual({ ok: true, arguments: { a: 1 } });
    expect(parseRawArguments('{"a":')).toEqual({ ok: false, problems: new Map([["", "json"]]) });
    for (const text of ["[1]", "null", '"x"', "7"]) {
      expect(parseRawArguments(text)).toEqual({ ok: false, problems: new Map([["", "object"]]) });
    }
  });

  test("maps a field path of a server error to its field", () => {
    const fields = buildFields(SCHEMA, ARGS);
    expect(findProblemField("arguments.tags.0", fields)).toBe("tags");
    expect(findProblemField("arguments.to", fields)).toBe("to");
    expect(findProblemField("arguments", fields)).toBeNull();
    expect(findProblemField("arguments.toes", fields)).toBeNull();
    expect(findProblemField("message", fields)).toBeNull();
    expect(findProblemField(undefined, fields)).toBeNull();
  });
});
