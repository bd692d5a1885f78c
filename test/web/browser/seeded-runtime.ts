// Starts a runtime with content for every view.

import { createApi } from "../../../src/client/api.ts";
import type { PageEvent } from "../../../src/protocol/pages/page.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { filterEvents, createApiUser, type ThreadResult, type ApiUser } from "../../support/api-user.ts";
import { createTemplateConfig } from "../../support/workflow-configs.ts";
import { startRuntime, type Runtime, type RuntimeOptions } from "../../support/runtime.ts";
import { createFullBlueprint } from "./full-blueprint.ts";

/** The URL path of each view. */
export type ViewPaths = {
  readonly [
    Name in
      | "welcome"
      | "conversation"
      | "question"
      | "approval"
      | "agents"
      | "agent"
      | "schedules"
      | "schedule"
      | "tools"
      | "tool"
      | "pages"
      | "page"
      | "analysis"
      | "plans"
      | "template"
      | "instance"
  ]: string;
};

export type SeededRuntime = { readonly runtime: Runtime; readonly user: ApiUser; readonly viewPaths: ViewPaths };

/** Starts a runtime with the embedded model and the guestbook example, and creates content for every view. */
export async function startSeededRuntime(options: RuntimeOptions = {}): Promise<SeededRuntime> {
  const runtime = await startRuntime({ ...withGuestbook(), ...options });
  return { runtime, user: createApiUser(runtime.url), viewPaths: await createViews(runtime.url) };
}

/** With this header a response ends when the thread ends. */
const STREAM = { accept: "text/event-stream" };

async function createViews(url: string): Promise<ViewPaths> {
  const user = createApiUser(url);
  const api = createApi({ url });
  const startConversation = async (message: string, options = {}) =>
    `/c/${(await user.sendAndWait(message, options)).conversationId}`;
  const conversation = await startConversation("Compute 678 × 8776, then read the guestbook");
  const analysis = await user.sendAndWait("Compare Form 1A and Form 1B on the last assignment");
  await user.sendAndWait("12 × 34 = ?", { agent: "toolsmith" });
  const approval = await startConversation("Sign the guestbook with 'Greetings from Oslo'", { agent: "guestbook" });
  for (const request of ["Every hour give me a random number", "Every weekday at 18:30 compute 6 * 7"]) {
    const { conversationId } = await user.sendAndWait(request);
    const path = `/api/v1/conversations/${conversationId}/resume`;
    await (await user.request("POST", path, { message: "yes" }, STREAM)).text();
  }
  const question = await startConversation("Every day at 9 tell me the time");
  const { schedules } = await api.listSchedules({ limit: 2 });
  for (const { schedule_id } of schedules) await api.runSchedule(schedule_id);
  const [tool] = (await api.listTools({ limit: 1 })).tools;
  const template = await api.createPlanTemplate({ ...createTemplateConfig(), status: "released" });
  const instance = await api.startPlanInstance(template.plan_id, { context: { seats: 21 } });
  return {
    welcome: "/",
    conversation,
    question,
    approval,
    agents: "/agents",
    agent: "/agents/assistant",
    schedules: "/schedules",
    schedule: `/schedules/${assertDefined(schedules[0]).schedule_id}`,
    tools: "/tools",
    tool: `/tools/${assertDefined(tool).name}`,
    pages: "/pages",
    page: `/pages/${await createFullPage(user)}`,
    analysis: `/pages/${getShownPageId(analysis)}`,
    plans: "/plans",
    template: `/plans/${template.plan_id}`,
    instance: `/instances/${instance.plan_instance_id}`,
  };
}

/** Returns the id of the page that a thread showed. */
function getShownPageId({ frames }: ThreadResult): string {
  const pageEvents = filterEvents(frames, "component_generator").filter(
    ({ payload }) => payload.component_type === "page",
  );
  const { page_id } = JSON.parse(pageEvents.at(-1)?.payload.content ?? "{}") as { page_id?: string };
  return assertDefined(page_id);
}

function assertDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The content of a view is missing.");
  return value;
}

/** Creates a page with every block type and returns its id. */
async function createFullPage(user: ApiUser): Promise<string> {
  const body = { blueprint: createFullBlueprint(), teacherId: "t-001", language: "en" };
  const text = await (await user.request("POST", "/api/page/generate", body)).text();
  const events = text
    .split("\n\n")
    .filter((block) => block.startsWith("data: "))
    .map((block) => JSON.parse(block.slice("data: ".length)) as PageEvent);
  const end = events.at(-1);
  if (end?.type !== "COMPLETE" || end.result.pageId === undefined) throw new Error(`No page was created: ${text}`);
  return end.result.pageId;
}
