// The analyst in a conversation, with a scripted model: its page is a component, and its questions use the runtime.

import { beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../../src/protocol/wire/events.ts";
import type { Task } from "../../../src/protocol/plans/task-plan.ts";
import type { PageSpec } from "../../../src/protocol/pages/page.ts";
import type { StoredPage } from "../../../src/protocol/pages/stored-page.ts";
import {
  scriptAnalysis,
  listBlocks,
  createBlueprint,
  replyWithPatch,
  replyWithRoute,
  replyWithBlueprint,
} from "../../support/analysis-script.ts";
import { createHandoffReply, type ModelReply } from "../../support/model-reply.ts";
import type { ModelServer } from "../../support/model-server.ts";
import {
  filterEvents,
  parseFrames,
  createApiUser,
  joinText,
  type ThreadResult,
  type ApiUser,
} from "../../support/api-user.ts";
import { findViolations } from "../../support/invariants.ts";
import { shareModel, shareRuntime, type SharedRuntime } from "../../support/shared-runtime.ts";

let model: ModelServer;
let runtime: SharedRuntime;
let ada: ApiUser;

beforeAll(async () => {
  model = await shareModel();
  runtime = await shareRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  ada = createApiUser(runtime.url);
});

describe("[X9] [X18] analyst in a conversation", () => {
  const listPages = (frames: readonly Frame[]) =>
    filterEvents(frames, "component_generator")
      .filter(({ payload }) => payload.component_type === "page")
      .map(({ item_id, payload }) => ({
        item_id,
        ...(JSON.parse(payload.content) as { page_id: string | null; page: PageSpec }),
      }));

  const createHandoff = (query: string): ModelReply => createHandoffReply("single_agent", ["analyst"], query);

  async function sendMessage(conversation: ThreadResult | null, message: string): Promise<ThreadResult> {
    return ada.sendAndWait(message, conversation === null ? {} : { conversation: conversation.conversationId });
  }

  const expectValidLog = async ({ conversationId }: ThreadResult) =>
    expect(findViolations(await ada.history(conversationId))).toEqual([]);

  test("answers a question about data with a page and applies the next message to this page", async () => {
    const mark = scriptAnalysis(model, [replyWithRoute("build_workflow"), replyWithRoute("refine")], {
      triage: ({ mark: own }) => createHandoff(`Compare ${own}`),
      blueprint: ({ mark: own, request }) =>
        request.tools?.some(({ function: { name } }) => name === "patch_blueprint") === true
          ? replyWithPatch({ op: "update_props", slotId: "spread", props: { variant: "line" } })
          : replyWithBlueprint(createBlueprint(own)),
    });
    const first = await sendMessage(null, `Compare 1A and 1B ${mark}`);
    const pages = listPages(first.frames);
    expect(new Set(pages.map(({ item_id }) => item_id)).size).toBe(1);
    const page = pages.at(-1);
    expect(listBlocks(page?.page ?? null).map(({ type }) => type)).toEqual(["kpi_grid", "chart", "table", "markdown"]);
    const tools = filterEvents(first.frames, "tool_call_completed").map(({ payload }) => payload.tool_name);
    expect(tools.slice(-3)).toEqual(["connect_agent", "get_assignment_submissions", "calculate_stats"]);
    expect(filterEvents(first.frames, "message").length).toBe(3);
    expect(joinText(first.frames)).not.toBe("");
    expect((await ada.get<StoredPage>(`/api/v1/pages/${page?.page_id ?? ""}`)).page).toEqual(page?.page);

    const second = await sendMessage(first, `A line chart please ${mark}`);
    const changed = listPages(second.frames).at(-1);
    expect(changed?.page_id).toBe(page?.page_id);
    expect(listBlocks(changed?.page ?? null)[1]).toMatchObject({ variant: "line" });
    await expectValidLog(second);

    // The state of the analysis is deleted with the conversation. The page remains.
    expect((await ada.request("DELETE", `/api/v1/conversations/${first.conversationId}`)).status).toBe(200);
    expect((await ada.request("GET", `/api/v1/pages/${page?.page_id ?? ""}`)).status).toBe(200);
    const { conversationId } = first;
    expect((await ada.request("POST", "/api/page/generate", { conversationId })).status).toBe(422);
  });

  test("[F55] creates a new page in each run of a schedule", async () => {
    const work = scriptAnalysis(model, [replyWithRoute("build_workflow"), replyWithRoute("build_workflow")]);
    const task = {
      id: "t0",
      title: "Analysis",
      query: `Analyse a-001 ${work}`,
      agent_name: "analyst",
      depends_on: [],
      pattern: "recurring",
      schedule_config: { interval_minutes: 60 },
    };
    const plan = { name: "create_plan", arguments: { tasks: [task], adequate: true, reason: "It recurs." } };
    const mark = model.addScript({ triage: createHandoffReply("needs_planning"), planner: { calls: [plan] } });
    const scheduled = await ada.sendAndWait(`Analyse a-001 every 60 minutes. Yes, confirmed. ${mark}`);
    const { tasks } = await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${scheduled.conversationId}/tasks`);
    const pages: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const path = `/api/v1/schedules/${tasks[0]?.task_id ?? ""}/run`;
      const response = await ada.request("POST", path, {}, { accept: "text/event-stream" });
      pages.push(listPages(parseFrames(await response.text())).at(-1)?.page_id);
    }
    expect(pages).toEqual([expect.stringMatching(/^page-/), expect.stringMatching(/^page-/)]);
    expect(new Set(pages).size).toBe(2);
    for (const { request } of model.getCalls(work, "router"))
      expect(request.messages.at(-1)?.content).not.toContain("Page:");
  });
});
