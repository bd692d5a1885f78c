import { join } from "node:path";
import { expect, test } from "vitest";
import { readLocalSettings } from "../../scripts/local-settings.ts";

test.each(["", " "])("readLocalSettings uses the default state folder for an empty ORRERY_STATE: %j", (value) => {
  expect(readLocalSettings({ ORRERY_STATE: value }).state).toBe(join(".wrangler", "state"));
});
