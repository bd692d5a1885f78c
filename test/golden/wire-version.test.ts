// The wire version follows its schemas.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { WIRE_HASH, WIRE_VERSION, WIRE_VERSIONS } from "../../src/protocol/wire/version.ts";
import { describeSchema, reduceToMeaning, WIRE } from "./wire-schemas.ts";

test("the wire version increases when its schemas change", () => {
  const hash = hashWire();
  const advice = [
    "The schemas of events, frames, commands or socket messages differ from those of version " + `${WIRE_VERSION}.`,
    "If the change is an accident, take it back: clients and stored logs rely on them.",
    "If it is wanted, put this entry on top of WIRE_VERSIONS in src/protocol/wire/version.ts:",
    `  { version: ${WIRE_VERSION + 1}, hash: "${hash}", change: "…" },`,
    "and update the golden files: UPDATE_GOLDEN=1 npm test -- test/golden",
  ];
  expect(hash, advice.join("\n")).toBe(WIRE_HASH);
});

test("the wire versions count down to 1, and each hash occurs once", () => {
  const versions = WIRE_VERSIONS.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, i) => versions.length - i));
  expect(new Set(WIRE_VERSIONS.map(({ hash }) => hash)).size).toBe(versions.length);
});

function hashWire(): string {
  const described = Object.entries(WIRE).map(([name, wanted]) => [name, describeSchema(wanted, reduceToMeaning)]);
  return createHash("sha256")
    .update(printCanonical(Object.fromEntries(described)))
    .digest("hex");
}

/** Prints JSON with sorted members. */
function printCanonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}
