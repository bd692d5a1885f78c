// Runs a request through triage, planner and the assistant with its real tools, without the rest of the runtime.

import { analystCard } from "../../src/agents/analyst/analyst-card.ts";
import { assistant } from "../../src/agents/assistant/assistant.ts";
import { toolsmithCard } from "../../src/agents/toolsmith/toolsmith-card.ts";
import { askAssistant } from "../agents/fixtures/ask-assistant.ts";
import { joinTextEvents } from "../agents/fixtures/local-agent.ts";
import { askModel, createToolSpec, runPlanner, runTriage, type ChatMessageParam } from "./embedded-client.ts";
import type { TestCard } from "./test-cards.ts";

const CARDS = [assistant.card, toolsmithCard, analystCard] as readonly TestCard[];

export type RunTask = {
  readonly id: string;
  readonly query: string;
  readonly agent_name: string;
  readonly depends_on: readonly string[];
  readonly schedule_config?: Readonly<Record<string, unknown>>;
};
type PlanWishes = { readonly guidance_message?: string; readonly verify?: boolean };
export type RequestRun = {
  /** The answer of triage, the guidance of the planner, or the answers of the agents. */
  readonly text: string;
  readonly tasks: readonly RunTask[];
  readonly isVerified: boolean;
  /** The calls of the assistant: the tool and the values of its arguments. */
  readonly calls: readonly string[];
};

/** `history` is an earlier request with its answer. */
export async function runRequest(request: string, history: readonly string[] = []): Promise<RequestRun> {
  const turns: ChatMessageParam[] = history.map((content, i) => ({ role: i === 0 ? "user" : "assistant", content }));
  const triage = await runTriage(request, turns, CARDS, "UTC");
  const [handoff] = triage.calls;
  if (handoff === undefined) return { text: triage.text, tasks: [], calls: [], isVerified: false };
  const {
    strategy,
    selected_agents: selected,
    enriched_query: query,
  } = handoff.arguments as { strategy: string; selected_agents: string[]; enriched_query: string };
  if (strategy !== "needs_planning")
    return runTasks(
      selected.map((agent_name, i) => ({ id: String(i), query, agent_name, depends_on: [] })),
      {},
    );
  const [planned] = (await runPlanner(query, [], [], CARDS, "UTC")).calls;
  if (planned?.name === "list_schedules") return { text: planned.name, tasks: [], calls: [], isVerified: false };
  const plan = planned?.arguments as ({ tasks: RunTask[] } & PlanWishes) | undefined;
  return runTasks(plan?.tasks ?? [], plan ?? {});
}

/** Runs the tasks of the assistant in order; scheduled tasks do not run. */
async function runTasks(
  tasks: readonly RunTask[],
  { guidance_message: guidance = "", verify = false }: PlanWishes,
): Promise<RequestRun> {
  const results = new Map<string, string>();
  const calls: string[] = [];
  const texts = [guidance];
  for (const { id, query, agent_name, depends_on, schedule_config } of tasks) {
    if (schedule_config !== undefined) continue;
    if (agent_name === "toolsmith") texts.push(await askToolsmith(query));
    if (agent_name !== "assistant") continue;
    const dependencies = depends_on.flatMap((needed) => {
      const result = results.get(needed);
      const title = tasks.find((task) => task.id === needed)?.query ?? "";
      return result === undefined ? [] : [{ task_id: needed, title, agent_name, result }];
    });
    const events = await askAssistant(query, { timezone: "UTC", dependencies });
    results.set(id, joinTextEvents(events));
    texts.push(joinTextEvents(events));
    for (const event of events)
      if (event.type === "tool_started" && event.tool !== "give_up")
        calls.push(formatCall(event.tool, event.arguments));
  }
  return { text: texts.join("\n").trim(), tasks, calls, isVerified: verify };
}

/** Returns the refusal of the toolsmith; "" if it splits the request into sub-tasks. */
async function askToolsmith(query: string): Promise<string> {
  const messages: ChatMessageParam[] = [{ role: "user", content: query }];
  return (await askModel("agent:toolsmith", messages, [createToolSpec("plan_subtasks", "Plans.")])).text;
}

function formatCall(tool: string, args = "{}"): string {
  return [tool, ...Object.values(JSON.parse(args) as Record<string, unknown>)].join(" ");
}
