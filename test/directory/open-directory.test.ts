import { env } from "cloudflare:workers";
import { expect, test } from "vitest";
import { openDirectory } from "../../src/directory/open-directory.ts";
import type { Env } from "../../src/env.ts";
import { MAX_ROW_BYTES } from "../../src/lib/row-size.ts";

test("[I43] the directory accepts values up to the size of a row and refuses larger ones, also in batches", async () => {
  const db = openDirectory((env as unknown as Env).DB);
  expect(openDirectory((env as unknown as Env).DB)).toBe(db);
  const full = "字".repeat(Math.floor(MAX_ROW_BYTES / 3)) + "aa";
  const query = db.prepare(`SELECT length(?) + length(?) AS length`);
  expect(await query.bind(full, "").first("length")).toBe(full.length);
  const [result] = await db.batch([query.bind("", full)]);
  expect(result?.results).toEqual([{ length: full.length }]);
  expect(() => query.bind(full, "a")).toThrow("SQLITE_TOOBIG");
});
