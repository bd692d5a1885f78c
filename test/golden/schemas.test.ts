// The schemas of the protocol, the fault codes, the settings and the migrations, compared with golden files.

import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";
import { AGUI_PROTOCOL_VERSION, STATE_KEY } from "../../src/http/agui/run-input.ts";
import { RPC_CODES, IDEMPOTENCY_KEY, PROTOCOL_VERSIONS } from "../../src/http/mcp/mcp-message.ts";
import { CONVERSATION_HEADER } from "../../src/http/openai/openai-descriptions.ts";
import { EVENTS_EXTENSION } from "../../src/protocol/agents/a2a-extension.ts";
import { FAULT_STATUS } from "../../src/protocol/wire/fault.ts";
import { settingsSchema } from "../../src/settings.ts";
import { tidySql } from "./databases.ts";
import { expectGolden, printJson } from "./golden-files.ts";
import { describeSchema, OTHERS, WIRE } from "./wire-schemas.ts";

const { event: eventSchema, ...otherSchemas } = { ...WIRE, ...OTHERS };

test.each(Object.entries(otherSchemas))("the schema of a %s is unchanged", (name, wanted) => {
  expectGolden(`files/schemas/${name}.json`, printJson(describeSchema(wanted)));
});

const events = z.toJSONSchema(z.array(eventSchema?.[0] ?? z.never()), { unrepresentable: "any" });
const variants = (events.items as { oneOf: { properties: { event: { const: string } } }[] }).oneOf;

test.each(variants.map((schema) => [schema.properties.event.const, schema] as const))(
  "the schema of the event %s is unchanged",
  (name, schema) => {
    expectGolden(`files/schemas/events/${name}.json`, printJson(schema));
  },
);

test("the set of events is unchanged", () => {
  const stored = readdirSync(`${import.meta.dirname}/files/schemas/events`);
  const names = variants.map(({ properties }) => `${properties.event.const}.json`);
  expect(names.toSorted(), "If the change is wanted, delete the file of the event that has gone").toEqual(
    stored.toSorted(),
  );
});

test("the fault codes and their statuses are unchanged", () => {
  expectGolden("files/faults.json", printJson(FAULT_STATUS));
});

test("the keys and versions of the open protocols are unchanged", () => {
  const keys = [
    EVENTS_EXTENSION,
    IDEMPOTENCY_KEY,
    PROTOCOL_VERSIONS,
    Object.values(RPC_CODES),
    STATE_KEY,
    AGUI_PROTOCOL_VERSION,
    CONVERSATION_HEADER,
  ];
  expectGolden("files/open-protocol-keys.json", printJson(keys));
});

test("the settings keep their names, types and defaults", () => {
  const settings = describeSchema([settingsSchema, "input"]);
  const read = describeSchema([settingsSchema, "output"]);
  const defaults = settingsSchema.parse({});
  expectGolden(
    "files/settings.json",
    printJson({ defaults, given: settings.properties, read: read.properties, refused: listRefusals() }),
  );
});

test("no migration is changed", () => {
  const folder = `${import.meta.dirname}/../../migrations`;
  const files = readdirSync(folder).toSorted();
  const texts = files.map((file) => {
    const statements = tidySql(readFileSync(`${folder}/${file}`, "utf8")).split(/(?<=;)/);
    return `-- ${file}\n${statements.join("\n")}\n`;
  });
  expectGolden("files/migrations.sql", texts.join("\n"));
});

/** Returns the validation errors for a value that no number, URL or flag accepts; they contain the limits. */
function listRefusals(): Record<string, string | undefined> {
  const names = Object.keys(settingsSchema.shape);
  const { error } = settingsSchema.safeParse(Object.fromEntries(names.map((name) => [name, "-1"])));
  return Object.fromEntries(error?.issues.map(({ path, message }) => [path.join("."), message]) ?? []);
}
