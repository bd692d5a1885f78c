// The analyst in an ordinary conversation, with a scripted model: its page is a component, its questions are the runtime's.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../src/protocol/wire/events.ts";
import type { Task } from "../../src/protocol/plans/task-plan.ts";
import type { PageSpec } from "../../src/protocol/pages/page.ts";
import type { StoredPage } from "../../src/protocol/pages/stored-page.ts";
import { analysis, blocksOf, blueprintFor, patched, route, wrote } from "../support/analysis.ts";
import { handoff, type Reply } from "../support/model-reply.ts";
import { startModelServer, type ModelServer } from "../support/model-server.ts";
import { eventsOf, framesOf, personAt, textOf, type Heard, type Person } from "../support/person.ts";
import { breachesIn } from "../support/rules.ts";
import { startRuntime, type Runtime } from "../support/runtime.ts";

let model: ModelServer;
let runtime: Runtime;
let ada: Person;

beforeAll(async () => {
  model = await startModelServer();
  runtime = await startRuntime({ vars: { OPENAI_BASE_URL: model.url } });
  ada = personAt(runtime.url);
});
afterAll(async () => {
  await runtime.stop();
  await model.close();
});

describe("[X9] [X18] in an ordinary conversation", () => {
  const pagesIn = (frames: readonly Frame[]) =>
    eventsOf(frames, "component_generator")
      .filter(({ payload }) => payload.component_type === "page")
      .map(({ item_id, payload }) => ({
        item_id,
        ...(JSON.parse(payload.content) as { page_id: string | null; page: PageSpec }),
      }));

  const toAnalyst = (query: string): Reply => handoff("single_agent", ["analyst"], query);

  async function talk(conversation: Heard | null, message: string): Promise<Heard> {
    return ada.say(message, conversation === null ? {} : { in: conversation.conversationId });
  }

  /** Answers what a conversation waits for, and hears the rest of its thread. */
  async function answer({ conversationId, threadId }: Heard, message: string): Promise<Heard> {
    const path = `/api/v1/conversations/${conversationId}/resume`;
    const response = await ada.request("POST", path, { message }, { accept: "text/event-stream" });
    return { conversationId, threadId, frames: framesOf(await response.text()) };
  }

  const checked = async ({ conversationId }: Heard) =>
    expect(breachesIn(await ada.history(conversationId))).toEqual([]);

  test("a question about data becomes a page, and what is said next is about it", async () => {
    const mark = analysis(model, [route("build_workflow"), route("refine")], {
      triage: ({ mark: own }) => toAnalyst(`Compare ${own}`),
      blueprint: ({ mark: own, request }) =>
        request.tools?.some(({ function: { name } }) => name === "patch_blueprint") === true
          ? patched({ op: "update_props", slotId: "spread", props: { variant: "line" } })
          : wrote(blueprintFor(own)),
    });
    const first = await talk(null, `Compare 1A and 1B ${mark}`);
    const pages = pagesIn(first.frames);
    expect(new Set(pages.map(({ item_id }) => item_id)).size).toBe(1);
    const page = pages.at(-1);
    expect(blocksOf(page?.page ?? null).map(({ type }) => type)).toEqual(["kpi_grid", "chart", "table", "markdown"]);
    const tools = eventsOf(first.frames, "tool_call_completed").map(({ payload }) => payload.tool_name);
    expect(tools.slice(-3)).toEqual(["connect_agent", "get_assignment_submissions", "calculate_stats"]);
    expect(eventsOf(first.frames, "message").length).toBe(3);
    expect(textOf(first.frames)).not.toBe("");
    expect((await ada.get<StoredPage>(`/api/v1/pages/${page?.page_id ?? ""}`)).page).toEqual(page?.page);

    const second = await talk(first, `A line chart please ${mark}`);
    const changed = pagesIn(second.frames).at(-1);
    expect(changed?.page_id).toBe(page?.page_id);
    expect(blocksOf(changed?.page ?? null)[1]).toMatchObject({ variant: "line" });
    await checked(second);

    // With the conversation goes what was said in it; the page stays.
    expect((await ada.request("DELETE", `/api/v1/conversations/${first.conversationId}`)).status).toBe(200);
    expect((await ada.request("GET", `/api/v1/pages/${page?.page_id ?? ""}`)).status).toBe(200);
    const { conversationId } = first;
    expect((await ada.request("POST", "/api/page/generate", { conversationId })).status).toBe(422);
  });

  test("a question that is not clear is asked back, and goes on from the answer", async () => {
    const mark = analysis(
      model,
      [
        route("clarify", 0.9, { clarifying_question: "Which class?", route_hint: "needClassId" }),
        route("build_workflow"),
      ],
      { triage: ({ mark: own }) => toAnalyst(`How was it ${own}`) },
    );
    const asked = await talk(null, `How was it? ${mark}`);
    const [waiting] = eventsOf(asked.frames, "task_waiting");
    expect(waiting?.payload).toMatchObject({ content: "Which class?" });
    expect(waiting?.payload.options).toHaveLength(2);
    const answered = await answer(asked, `1A ${mark}`);
    expect(pagesIn(answered.frames).at(-1)?.page_id).toMatch(/^page-/);
    await checked(answered);
  });

  test("another analysis takes the page's place only after a yes", async () => {
    const mark = analysis(model, [route("build_workflow"), route("rebuild")], {
      triage: ({ mark: own }) => toAnalyst(`Analyse ${own}`),
    });
    const first = await talk(null, `a-001 ${mark}`);
    const asked = await talk(first, `Something else ${mark}`);
    expect(pagesIn(asked.frames)).toEqual([]);
    expect(eventsOf(asked.frames, "task_waiting")[0]?.payload.options).toEqual(["Yes", "No"]);
    const done = await answer(asked, "Yes");
    const page = pagesIn(done.frames).at(-1);
    expect(page?.page_id).toMatch(/^page-/);
    expect(page?.page_id).not.toBe(pagesIn(first.frames).at(-1)?.page_id);
    await checked(done);
  });

  test("small talk stays words", async () => {
    const mark = analysis(model, [route("chat_smalltalk")], { triage: ({ mark: own }) => toAnalyst(`Hi ${own}`) });
    const { frames } = await talk(null, `Hi ${mark}`);
    expect(textOf(frames)).toBe("Hello there.");
    expect(pagesIn(frames)).toEqual([]);
  });

  test("[F55] a schedule makes another page at every run, whatever was made before", async () => {
    const work = analysis(model, [route("build_workflow"), route("build_workflow")]);
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
    const mark = model.act({ triage: handoff("needs_planning"), planner: { calls: [plan] } });
    const begun = await ada.say(`Analyse a-001 every 60 minutes. Yes, confirmed. ${mark}`);
    const { tasks } = await ada.get<{ tasks: Task[] }>(`/api/v1/conversations/${begun.conversationId}/tasks`);
    const pages: unknown[] = [];
    for (let run = 0; run < 2; run++) {
      const path = `/api/v1/schedules/${tasks[0]?.task_id ?? ""}/run`;
      const response = await ada.request("POST", path, {}, { accept: "text/event-stream" });
      pages.push(pagesIn(framesOf(await response.text())).at(-1)?.page_id);
    }
    expect(pages).toEqual([expect.stringMatching(/^page-/), expect.stringMatching(/^page-/)]);
    expect(new Set(pages).size).toBe(2);
    for (const { request } of model.callsOf(work, "router"))
      expect(request.messages.at(-1)?.content).not.toContain("Page:");
  });
});
