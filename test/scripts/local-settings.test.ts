import { join } from "node:path";
import { expect, test } from "vitest";
import { readLocalSettings } from "../../scripts/local-settings.ts";

test.each(["", " "])(
  "a state folder that is set to nothing is the usual one, and not the folder of the project: %j",
  (given) => {
    expect(readLocalSettings({ ORRERY_STATE: given }).state).toBe(join(".wrangler", "state"));
  },
);
