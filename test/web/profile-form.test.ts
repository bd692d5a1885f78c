import { expect, test } from "vitest";
import { findInvalidFact, toProfileChange, toProfileForm } from "../../src/web/app/dialogs/profile-form.ts";

const STORED = { name: "Ada", language: "en", facts: { role: "teacher", pet: "cat" } };

test("an unchanged form of a profile keeps all of it", () => {
  expect(toProfileChange(toProfileForm(STORED), STORED)).toEqual({ ...STORED, timezone: null });
});

test("emptied fields and facts without a line are removed", () => {
  const form = { ...toProfileForm(STORED), name: " ", facts: "role: head：of school\n\n城市：北京" };
  const facts = { pet: null, role: "head：of school", 城市: "北京" };
  expect(toProfileChange(form, STORED)).toEqual({ name: null, language: "en", timezone: null, facts });
});

test.each([
  ["role: teacher\n\n 职业：教师", null],
  ["role: teacher\nteacher", "teacher"],
  [": teacher", ": teacher"],
  ["role:  ", "role:  "],
])("in the facts %j, the line %j is invalid", (facts, line) => {
  expect(findInvalidFact(facts)).toBe(line);
});
