// Analyses and pages over the door for other Workers, with the real analyst: nothing here needs a model.

import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { OrreryApi } from "../../src/http/rpc-api.ts";
import { pageEventSchema, type PageEvent } from "../../src/protocol/pages/page.ts";
import { unwrapResult, type RpcResult } from "../../src/protocol/wire/rpc-result.ts";
import { must } from "./support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const of = async <T>(result: Promise<RpcResult<T>>): Promise<T> => unwrapResult(await result);

const BLUEPRINT = {
  id: "bp-1",
  name: "Assignment",
  dataContract: {
    bindings: [
      {
        id: "work",
        toolName: "get_assignment_submissions",
        paramMapping: { teacher_id: "$context.teacherId", assignment_id: "a-001" },
      },
    ],
  },
  computeGraph: {
    nodes: [
      {
        id: "stats",
        type: "tool" as const,
        toolName: "calculate_stats",
        toolArgs: { data: "$data.work.scores" },
        outputKey: "stats",
      },
    ],
  },
  uiComposition: {
    tabs: [
      {
        id: "all",
        label: "All",
        slots: [{ id: "figures", componentType: "kpi_grid" as const, dataBinding: "$compute.stats" }],
      },
    ],
  },
};

async function eventsIn(stream: ReadableStream<Uint8Array>): Promise<PageEvent[]> {
  const lines = (await new Response(stream).text()).split("\n").slice(0, -1);
  return lines.map((line) => pageEventSchema.parse(JSON.parse(line)));
}

async function madeBy(user: string): Promise<string> {
  const events = await eventsIn(await of(orrery.generatePage(user, { blueprint: BLUEPRINT })));
  const end = must(events.at(-1));
  if (end.type !== "COMPLETE") throw new Error("It has no end.");
  expect(JSON.stringify(end.result.page)).toContain("74.2");
  return must(end.result.pageId);
}

test("a page is made, read, renamed, made again and deleted", async () => {
  const id = await madeBy("rpc-p1");
  expect(await of(orrery.listPages("rpc-p1", { limit: 5 }))).toMatchObject({ pages: [{ page_id: id }] });
  const { snapshot } = await of(orrery.page("rpc-p1", id));
  expect(snapshot.results.map(({ tool }) => tool)).toEqual(["get_assignment_submissions", "calculate_stats"]);
  expect(await of(orrery.renamePage("rpc-p1", id, "Mine"))).toMatchObject({ title: "Mine" });
  const again = await eventsIn(await of(orrery.runPage("rpc-p1", id)));
  expect(again.at(-1)).toMatchObject({ type: "COMPLETE", result: { pageId: id } });
  expect(await of(orrery.page("rpc-p1", id))).toMatchObject({ title: "Mine" });
  expect(await of(orrery.deletePage("rpc-p1", id))).toEqual({ page_id: id, deleted: true });
  expect(await orrery.page("rpc-p1", id)).toMatchObject({ ok: false, failure: { code: "not_found" } });
});

test("a link is made, listed and revoked", async () => {
  const id = await madeBy("rpc-p2");
  const { token, ...link } = await of(orrery.linkPage("rpc-p2", id, 60));
  expect(token).toMatch(/^[\da-f]{64}$/);
  expect(await of(orrery.pageLinks("rpc-p2", id))).toEqual({ links: [link] });
  expect(await of(orrery.unlinkPage("rpc-p2", id, link.link_id))).toMatchObject({ deleted: true });
  expect(await orrery.linkPage("rpc-p2", id, 1)).toMatchObject({ ok: false, failure: { code: "invalid_request" } });
});

test("[U1] what another user made cannot be told from what never was", async () => {
  const id = await madeBy("rpc-p3");
  const never = `page-${"0".repeat(32)}`;
  for (const verb of ["page", "deletePage", "runPage", "pageLinks"] as const)
    expect(await orrery[verb]("rpc-p4", id)).toEqual(await orrery[verb]("rpc-p4", never));
});

test("what does not fit is a value, with its field", async () => {
  expect(await orrery.analyse("rpc-p5", { message: "" })).toMatchObject({ ok: false, failure: { field: "message" } });
  expect(await orrery.planPage("rpc-p5", { userPrompt: "" })).toMatchObject({ failure: { field: "userPrompt" } });
  expect(await orrery.generatePage("rpc-p5", {})).toMatchObject({ failure: { field: "blueprint" } });
  const nodes = [{ ...must(BLUEPRINT.computeGraph.nodes[0]), toolName: "drop_tables" }];
  expect(await orrery.generatePage("rpc-p5", { blueprint: { ...BLUEPRINT, computeGraph: { nodes } } })).toMatchObject({
    failure: { code: "unprocessable", field: "blueprint", message: expect.stringContaining("drop_tables") as string },
  });
});
