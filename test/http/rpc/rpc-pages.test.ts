// Analyses and pages over RPC with the real analyst; nothing here needs a model.

import { exports } from "cloudflare:workers";
import { expect, test } from "vitest";
import type { OrreryApi } from "../../../src/http/api/rpc.ts";
import { pageEventSchema, type PageEvent } from "../../../src/protocol/pages/page.ts";
import { unwrapResult, type RpcResult } from "../../../src/protocol/wire/rpc-result.ts";
import { assertPresent } from "../support.ts";

const orrery = (exports as unknown as { Orrery: OrreryApi }).Orrery;
const unwrap = async <T>(result: Promise<RpcResult<T>>): Promise<T> => unwrapResult(await result);

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

async function parseEvents(stream: ReadableStream<Uint8Array>): Promise<PageEvent[]> {
  const lines = (await new Response(stream).text()).split("\n").slice(0, -1);
  return lines.map((line) => pageEventSchema.parse(JSON.parse(line)));
}

async function createPage(user: string): Promise<string> {
  const events = await parseEvents(await unwrap(orrery.generatePage(user, { blueprint: BLUEPRINT })));
  const end = assertPresent(events.at(-1));
  if (end.type !== "COMPLETE") throw new Error("It has no end.");
  expect(JSON.stringify(end.result.page)).toContain("74.2");
  return assertPresent(end.result.pageId);
}

test("a page over RPC can be created, read, renamed, rebuilt and deleted", async () => {
  const id = await createPage("rpc-p1");
  expect(await unwrap(orrery.listPages("rpc-p1", { limit: 5 }))).toMatchObject({ pages: [{ page_id: id }] });
  const { snapshot } = await unwrap(orrery.page("rpc-p1", id));
  expect(snapshot.results.map(({ tool }) => tool)).toEqual(["get_assignment_submissions", "calculate_stats"]);
  expect(await unwrap(orrery.renamePage("rpc-p1", id, "Mine"))).toMatchObject({ title: "Mine" });
  const again = await parseEvents(await unwrap(orrery.runPage("rpc-p1", id)));
  expect(again.at(-1)).toMatchObject({ type: "COMPLETE", result: { pageId: id } });
  expect(await unwrap(orrery.page("rpc-p1", id))).toMatchObject({ title: "Mine" });
  expect(await unwrap(orrery.deletePage("rpc-p1", id))).toEqual({ page_id: id, deleted: true });
  expect(await orrery.page("rpc-p1", id)).toMatchObject({ ok: false, failure: { code: "not_found" } });
});

test("a shared link over RPC can be created, listed and revoked", async () => {
  const id = await createPage("rpc-p2");
  const { token, ...link } = await unwrap(orrery.linkPage("rpc-p2", id, 60));
  expect(token).toMatch(/^[\da-f]{64}$/);
  expect(await unwrap(orrery.pageLinks("rpc-p2", id))).toEqual({ links: [link] });
  expect(await unwrap(orrery.unlinkPage("rpc-p2", id, link.link_id))).toMatchObject({ deleted: true });
  expect(await orrery.linkPage("rpc-p2", id, 1)).toMatchObject({ ok: false, failure: { code: "invalid_request" } });
});

test("an invalid argument over RPC is a failure value with its field", async () => {
  expect(await orrery.analyse("rpc-p5", { message: "" })).toMatchObject({ ok: false, failure: { field: "message" } });
  expect(await orrery.planPage("rpc-p5", { userPrompt: "" })).toMatchObject({ failure: { field: "userPrompt" } });
  expect(await orrery.generatePage("rpc-p5", {})).toMatchObject({ failure: { field: "blueprint" } });
  const nodes = [{ ...assertPresent(BLUEPRINT.computeGraph.nodes[0]), toolName: "drop_tables" }];
  expect(await orrery.generatePage("rpc-p5", { blueprint: { ...BLUEPRINT, computeGraph: { nodes } } })).toMatchObject({
    failure: { code: "unprocessable", field: "blueprint", message: expect.stringContaining("drop_tables") as string },
  });
});
