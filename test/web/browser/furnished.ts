// A runtime in which there is something to see in every view.

import { createApi } from "../../../src/client/api.ts";
import type { PageEvent } from "../../../src/protocol/pages/page.ts";
import { withGuestbook } from "../../support/guestbook.ts";
import { eventsOf, personAt, type Heard, type Person } from "../../support/person.ts";
import { smallPlan } from "../../support/plans.ts";
import { startRuntime, type Runtime } from "../../support/runtime.ts";
import { blueprintOfAll } from "./blueprint.ts";

/** The views by what they show; the values are paths. */
export type Places = {
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

export type Furnished = { readonly runtime: Runtime; readonly person: Person; readonly places: Places };

/** With the model that is built in, and the example of a guestbook beside it. */
export async function furnished(): Promise<Furnished> {
  const runtime = await startRuntime(withGuestbook());
  return { runtime, person: personAt(runtime.url), places: await placesIn(runtime.url) };
}

/** Waits for all that comes of a call. */
const STREAM = { accept: "text/event-stream" };

async function placesIn(url: string): Promise<Places> {
  const person = personAt(url);
  const api = createApi({ url });
  const say = async (message: string, options = {}) => `/c/${(await person.say(message, options)).conversationId}`;
  const conversation = await say("Compute 678 × 8776, then read the guestbook");
  const analysed = await person.say("Compare Form 1A and Form 1B on the last assignment");
  await person.say("12 × 34 = ?", { agent: "toolsmith" });
  const approval = await say("Sign the guestbook with 'Greetings from Oslo'", { agent: "guestbook" });
  for (const wish of ["Every hour give me a random number", "Every weekday at 18:30 compute 6 * 7"]) {
    const { conversationId } = await person.say(wish);
    const path = `/api/v1/conversations/${conversationId}/resume`;
    await (await person.request("POST", path, { message: "yes" }, STREAM)).text();
  }
  const question = await say("Every day at 9 tell me the time");
  const { schedules } = await api.listSchedules({ limit: 2 });
  for (const { schedule_id } of schedules) await api.runSchedule(schedule_id);
  const [tool] = (await api.listTools({ limit: 1 })).tools;
  const template = await api.createPlanTemplate({ ...smallPlan(), status: "released" });
  const instance = await api.startPlanInstance(template.plan_id, { context: { seats: 21 } });
  return {
    welcome: "/",
    conversation,
    question,
    approval,
    agents: "/agents",
    agent: "/agents/assistant",
    schedules: "/schedules",
    schedule: `/schedules/${must(schedules[0]).schedule_id}`,
    tools: "/tools",
    tool: `/tools/${must(tool).name}`,
    pages: "/pages",
    page: `/pages/${await pageOfAll(person)}`,
    analysis: `/pages/${pageIn(analysed)}`,
    plans: "/plans",
    template: `/plans/${template.plan_id}`,
    instance: `/instances/${instance.plan_instance_id}`,
  };
}

/** The page that a conversation has brought. */
function pageIn({ frames }: Heard): string {
  const shown = eventsOf(frames, "component_generator").filter(({ payload }) => payload.component_type === "page");
  const { page_id } = JSON.parse(shown.at(-1)?.payload.content ?? "{}") as { page_id?: string };
  return must(page_id);
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("The stage has a gap.");
  return value;
}

/** Makes a page with a block of every kind. */
async function pageOfAll(person: Person): Promise<string> {
  const body = { blueprint: blueprintOfAll(), teacherId: "t-001", language: "en" };
  const text = await (await person.request("POST", "/api/page/generate", body)).text();
  const events = text
    .split("\n\n")
    .filter((block) => block.startsWith("data: "))
    .map((block) => JSON.parse(block.slice("data: ".length)) as PageEvent);
  const end = events.at(-1);
  if (end?.type !== "COMPLETE" || end.result.pageId === undefined) throw new Error(`No page was made: ${text}`);
  return end.result.pageId;
}
