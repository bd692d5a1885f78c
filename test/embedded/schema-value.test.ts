// Formats and required calls of the embedded model.

import { expect, test } from "vitest";
import { findSchemaMistake } from "../../src/core/models/answer-format.ts";
import { fetchEmbedded } from "../../src/embedded/embedded-fetch.ts";
import { buildSchemaValue } from "../../src/embedded/schema-value.ts";

const TEXT = "The city is Oslo, the status is ok, and 12 * 34 = 408.";

test.each<[object, unknown]>([
  [{ type: "string" }, TEXT],
  [{ type: "integer", minimum: 500 }, 500],
  [{ type: ["integer", "null"] }, 408],
  [{ enum: ["bad", "ok"] }, "ok"],
  [{ const: 7 }, 7],
  [{ type: "array", items: { type: "boolean" }, minItems: 2 }, [true, true]],
  [{ anyOf: [{ type: "null" }, { type: "integer" }] }, 408],
  [
    {
      $defs: { place: { type: "object", properties: { city: { type: "string" } }, required: ["city"] } },
      $ref: "#/$defs/place",
    },
    { city: "Oslo" },
  ],
])("%j gets a value that satisfies it", (schema, value) => {
  expect(buildSchemaValue({ ...schema }, TEXT)).toEqual(value);
  expect(findSchemaMistake({ ...schema }, value)).toBeNull();
});

test("a required call has the first tool and arguments from the words", async () => {
  const parameters = { properties: { city: { type: "string" } } };
  const body = {
    messages: [{ role: "user", content: "I need the weather in the city Oslo, please." }],
    tools: [{ type: "function", function: { name: "get_weather", parameters } }],
    tool_choice: "required",
  };
  const response = await fetchEmbedded("https://embedded.invalid/v1/chat/completions", {
    method: "POST",
    headers: { "x-orrery-role": "triage" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  expect(text).toContain('"name":"get_weather"');
  expect(text).toContain(JSON.stringify(JSON.stringify({ city: "Oslo" })));
});
