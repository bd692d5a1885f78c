// The analyst with the embedded model, in a conversation and at its endpoints.

import { beforeAll, describe, expect, test } from "vitest";
import { createApi } from "../../../src/client/api.ts";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import type { PageEvent, PageSpec } from "../../../src/protocol/pages/page.ts";
import { listBlocks } from "../../support/analysis-script.ts";
import { createApiUser, filterEvents, joinText, type ApiUser } from "../../support/api-user.ts";
import { shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";

const SALES = "日期,地区,销售额\n2026-01-05,华东,120.5\n2026-01-20,华北,80\n2026-02-11,华东,200\n2026-03-01,华南,150\n";

let runtime: SharedRuntime;
let ada: ApiUser;

beforeAll(async () => {
  runtime = await shareRuntime();
  ada = createApiUser(runtime.url);
});

function findPage(frames: readonly Frame[]) {
  const pageComponents = filterEvents(frames, "component_generator").filter(
    ({ payload }) => payload.component_type === "page",
  );
  const { content = "{}" } = pageComponents.at(-1)?.payload ?? {};
  const { page = null, page_id = null } = JSON.parse(content) as { page?: PageSpec | null; page_id?: string | null };
  return { page_id, blocks: listBlocks(page) };
}

const listBlockTypes = (frames: readonly Frame[]) => findPage(frames).blocks.map(({ type }) => type);

describe("[X18] analyst without an API key", () => {
  test("builds a comparison and applies a series of changes to its page", async () => {
    const first = await ada.sendAndWait("Compare 1A and 1B on the last assignment");
    const sendMore = (message: string) => ada.sendAndWait(message, { conversation: first.conversationId });
    const { page_id, blocks } = findPage(first.frames);
    expect(page_id).toMatch(/^page-/);
    expect(blocks[0]).toMatchObject({
      type: "kpi_grid",
      data: [{ value: "74.2" }, { value: "69.5" }, { value: "4.7" }],
    });
    expect(joinText((await sendMore("which class is better?")).frames)).toContain(
      "**Average**: Form 1A 74.2, Form 1B 69.5",
    );
    const line = await sendMore("make it a line chart");
    expect(findPage(line.frames).page_id).toBe(page_id);
    expect(findPage(line.frames).blocks.find(({ type }) => type === "chart")).toMatchObject({ variant: "line" });
    expect(listBlockTypes((await sendMore("remove the table")).frames)).not.toContain("table");
    expect(listBlockTypes((await sendMore("undo")).frames)).toContain("table");
    expect(joinText((await sendMore("why is 1A better?")).frames)).toContain("OPENAI_API_KEY");
  });

  test("analyses an uploaded table with Chinese headers", async () => {
    const headers = { "content-type": "text/csv" };
    const path = `/api/v1/datasets?name=${encodeURIComponent("销售")}`;
    const url = runtime.url + path;
    const uploaded = await fetch(url, { method: "POST", headers, body: SALES });
    expect(uploaded.status).toBe(201);
    const ranking = await ada.sendAndWait("按地区给销售额排名");
    const ranked = findPage(ranking.frames).blocks.find(({ type }) => type === "chart");
    expect(ranked).toMatchObject({ xAxis: ["华东", "华南", "华北"], series: [{ data: [320.5, 150, 80] }] });
  });
});

test("the typed client analyses, streams the page, and manages pages and links", async () => {
  const api = createApi({ url: runtime.url });
  const { action, conversationId } = await api.analyse({ message: "compare 1A and 1B on the Unit 4 Test" });
  expect(action).toBe("build_workflow");
  const events: PageEvent[] = [];
  for await (const event of api.generatePage({ conversationId })) events.push(event);
  const end = events.at(-1);
  const id = end?.type === "COMPLETE" ? (end.result.pageId ?? "") : "";
  expect((await api.listPages({ limit: 1 })).pages[0]?.page_id).toBe(id);
  expect((await api.renamePage(id, { title: "Unit 4" })).title).toBe("Unit 4");
  const eventTypes: string[] = [];
  for await (const { type } of api.runPage(id)) eventTypes.push(type);
  expect([eventTypes[0], eventTypes.at(-1)]).toEqual(["PHASE", "COMPLETE"]);
  expect((await api.page(id)).blueprint.sourcePrompt).toContain("Unit 4");
  expect(await api.pageHtml(id)).toContain("<html");
  expect(await api.pageCsv(id)).toContain("Form 1A");
  const { link_id, url } = await api.linkPage(id, { expires_in: 60 });
  expect((await fetch(url)).status).toBe(200);
  expect((await api.pageLinks(id)).links.map((link) => link.link_id)).toEqual([link_id]);
  await api.unlinkPage(id, link_id);
  await api.deletePage(id);
  await expect(api.page(id)).rejects.toMatchObject({ code: "not_found" });
  await expect(api.generatePage({}).next()).rejects.toMatchObject({ code: "unprocessable" });
  const planned = await ada.request("POST", "/api/workflow/generate", { userPrompt: "write a poem" });
  expect([planned.status, await planned.text()]).toEqual([502, expect.stringContaining("OPENAI_API_KEY")]);
});
