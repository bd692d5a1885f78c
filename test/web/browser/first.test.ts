// Somebody opens the application for the first time and talks.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { builtApp, hasBrowser, visit } from "./support.ts";

describe.skipIf(!hasBrowser)("a first visit", () => {
  let runtime: Runtime;
  beforeAll(async () => {
    await builtApp();
    runtime = await startRuntime();
  });
  afterAll(() => runtime.stop());

  test("shows the application without a complaint of the browser", async () => {
    const { page, complaints, close } = await visit(runtime.url);
    await page.getByRole("link", { name: "New conversation" }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
