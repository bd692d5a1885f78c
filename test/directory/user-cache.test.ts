import { expect, test } from "vitest";
import { env } from "cloudflare:workers";
import { readRegistry, setAgentEnabled } from "../../src/directory/agent-directory.ts";
import { addTemplate, listReleasedTemplates, setTemplateStatus } from "../../src/directory/template-directory.ts";
import type { Env } from "../../src/env.ts";
import { workflowConfigSchema } from "../../src/protocol/workflows/workflow-template.ts";
import { createTemplateConfig } from "../support/workflow-configs.ts";

const { DB } = env as unknown as Env;

/** Creates a directory that holds its query results back until `arrive` is called. */
function createSlowDirectory(): { db: D1Database; arrive: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const prepare = (query: string) => ({
    bind: (...values: unknown[]) => ({
      async all() {
        const found = await DB.prepare(query)
          .bind(...values)
          .all();
        await promise;
        return found;
      },
    }),
  });
  return { db: { prepare } as unknown as D1Database, arrive: resolve };
}

/** Waits until the database has executed the earlier queries. */
const waitForQueries = () => DB.prepare("SELECT 1").all();

test("an agent is disabled at once although an older read is still pending", async () => {
  const { db, arrive } = createSlowDirectory();
  const reading = readRegistry(db, "recent");
  await waitForQueries();
  await setAgentEnabled(DB, "recent", "Clock", false);
  arrive();
  expect((await reading).disabled).toEqual(new Set());
  expect((await readRegistry(DB, "recent")).disabled).toEqual(new Set(["Clock"]));
});

test("a released template is an agent at once although an older read is still pending", async () => {
  const { db, arrive } = createSlowDirectory();
  const config = { ...workflowConfigSchema.parse(createTemplateConfig()), plan_id: "recent", main_task_id: "001" };
  await addTemplate(DB, "recent", config, "draft", 1);
  const reading = listReleasedTemplates(db, "recent");
  await waitForQueries();
  await setTemplateStatus(DB, "recent", "recent", "released", 2);
  arrive();
  expect(await reading).toEqual([]);
  expect((await listReleasedTemplates(DB, "recent")).map(({ name }) => name)).toEqual(["recent"]);
});
