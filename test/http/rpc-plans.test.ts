// Plans through the door for other Workers.

import { exports } from "cloudflare:workers";
import { expect, test, vi } from "vitest";
import type { OrreryApi } from "../../src/http/rpc-api.ts";
import { createId } from "../../src/protocol/wire/ids.ts";
import { unwrapResult } from "../../src/protocol/wire/rpc-result.ts";
import { smallPlan } from "../support/plans.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;

test("[F120] [F121] a plan is kept, changed, released, run and resumed", async () => {
  const user = createId("conv");
  const bad = smallPlan({ main_task_id: "009" });
  const refused = await orrery.createPlanTemplate(user, bad);
  expect(refused).toMatchObject({
    ok: false,
    failure: { code: "unprocessable", field: "main_task_id", problems: [{ path: "main_task_id" }] },
  });
  expect(unwrapResult(await orrery.createPlanTemplate(user, smallPlan()))).toMatchObject({
    version: 1,
    status: "draft",
  });
  const stale = await orrery.updatePlanTemplate(user, "welcome", smallPlan(), 3);
  expect(stale).toMatchObject({ ok: false, failure: { code: "conflict", current_version: 1 } });
  expect(unwrapResult(await orrery.updatePlanTemplate(user, "welcome", smallPlan(), 1))).toMatchObject({ version: 2 });
  unwrapResult(await orrery.setPlanTemplateStatus(user, "welcome", "released"));
  expect(unwrapResult(await orrery.listPlanTemplates(user, { status: "released" })).templates).toHaveLength(1);
  expect(unwrapResult(await orrery.planTemplateVersions(user, "welcome")).versions).toHaveLength(2);

  const started = unwrapResult(await orrery.startPlanInstance(user, "welcome", { verify: false }, "c1"));
  expect(unwrapResult(await orrery.startPlanInstance(user, "welcome", { verify: false }, "c1"))).toEqual(started);
  const id = started.plan_instance_id;
  const until = (isThere: (instance: Awaited<ReturnType<typeof read>>) => boolean) =>
    vi.waitFor(async () => expect(isThere(await read())).toBe(true), { timeout: 10_000, interval: 20 });
  const read = async () => unwrapResult(await orrery.planInstance(user, id));
  await until(({ waiting_for_resume }) => waiting_for_resume);
  const stream = unwrapResult(await orrery.follow(user, started.conversation_id, 0, started.thread_id));
  expect(await new Response(stream).text()).toContain('"plan_instance"');
  unwrapResult(await orrery.resumePlanInstance(user, id, { context: { "001": { seats: 2 } } }));
  await until(({ status }) => status === "done");
  expect(await orrery.cancelPlanInstance(user, id)).toMatchObject({ ok: false, failure: { code: "conflict" } });
  expect(unwrapResult(await orrery.listPlanInstances(user, { plan_id: "welcome" })).instances).toHaveLength(1);
  unwrapResult(await orrery.deletePlanTemplate(user, "welcome"));
  expect(unwrapResult(await orrery.planTemplate(user, "welcome", 1))).toMatchObject({ version: 1, status: "archived" });

  for (const answer of [await orrery.planTemplate("eve", "welcome"), await orrery.planInstance("eve", id)]) {
    expect(answer).toMatchObject({ ok: false, failure: { code: "not_found" } });
  }
});

test.each([
  ["the shape of a plan", () => orrery.createPlanTemplate("ada", { name: "x", tasks: 1 } as never), "tasks"],
  ["the shape of its next version", () => orrery.updatePlanTemplate("ada", "x", { tasks: 1 } as never, 1), "name"],
  ["a limit", () => orrery.listPlanInstances("ada", { limit: 0 }), "limit"],
  ["a status", () => orrery.setPlanTemplateStatus("ada", "x", "deleted" as "draft"), "status"],
  ["a version", () => orrery.planTemplate("ada", "x", 0), "version"],
  ["a version to build on", () => orrery.updatePlanTemplate("ada", "x", smallPlan(), 0), "basedOn"],
  [
    "what no JSON can say",
    () => orrery.startPlanInstance("ada", "x", { context: { at: new Date() as never } }),
    "context.at",
  ],
])("%s that is wrong is refused", async (_, call, field) => {
  expect(await call()).toMatchObject({
    ok: false,
    failure: { code: "invalid_request", field },
  });
});
