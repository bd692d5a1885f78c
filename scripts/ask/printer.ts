// A thread as text for a terminal: one line per happening, words as they come.

import * as z from "zod";
import type { EventOf, Frame, Usage } from "../../src/protocol/wire/events.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import { checklistEntrySchema } from "../../src/protocol/plans/verification.ts";
import { createComponentLines } from "./components.ts";
import { wasCancelled } from "./exchange.ts";
import { harmless, type Paint, type Style } from "./paint.ts";
import { createVoices } from "./voices.ts";

const LINE_LENGTH = 140;
/** Calls and components that other lines say better. */
const PLUMBING: ReadonlySet<string> = new Set([
  "connect_agent",
  "generate_execution_plan",
  "subagent_conversation",
  "plan_instance",
  "plan_listener",
  "toolsmith_progress",
]);

/**
 * Returns what to write for each frame, in order. Plans name the tasks: those that are told, and `before`, which were
 * known already. `url` is where pages and schedules can be looked at.
 */
export function createPrinter(paint: Paint, url = "") {
  const voices = createVoices(paint);
  const newIn = createComponentLines(url);
  const told: Plan[] = [];

  return (frame: Frame, before: readonly Plan[] = []): string => harmless(written(frame, before));

  function written(frame: Frame, before: readonly Plan[]): string {
    const plans = [...before, ...told];
    const who = frame.data.agent_name ?? "Orrery";
    const line = (text: string) => voices.line("task_id" in frame.data ? frame.data.task_id : undefined, text);
    switch (frame.event) {
      case "message_chunk":
        return voices.words(frame.data.task_id, { who, text: frame.data.payload.content });
      case "reasoning":
        return voices.words(frame.data.task_id, { who, text: frame.data.payload.content, style: "dim" });
      case "message": {
        const { role, task_id: task, payload } = frame.data;
        if (role === "user" || task === undefined)
          return line(`${paint("bold", `${role === "user" ? "You" : who}:`)} ${payload.content}`);
        return voices.words(task, { who, text: `${payload.content}\n`, isWhole: true });
      }
      case "triage_completed": {
        const { decision, strategy, selected_agents: agents, reason } = frame.data.payload;
        if (decision === "answer") return "";
        const target = agents.length === 0 ? "the planner" : agents.join(", ");
        return line(paint("dim", short(`→ handed to ${target} (${strategy}): ${reason}`)));
      }
      case "plan_created":
        told.push(frame.data.payload.plan);
        return line(describePlan(frame.data.payload.plan, paint));
      case "task_started":
        return line(paint("cyan", `▸ ${who}${titleOf(plans, frame.data.task_id)}`));
      case "task_completed":
        return line(paint("dim", `✓ ${who}${titleOf(plans, frame.data.task_id)}`));
      case "tool_call_started":
        if (PLUMBING.has(frame.data.payload.tool_name)) return "";
        return line(
          paint(
            "dim",
            short(`⚙ ${who} calls ${frame.data.payload.tool_name} ${frame.data.payload.tool_arguments ?? ""}`),
          ),
        );
      case "tool_call_completed":
        if (PLUMBING.has(frame.data.payload.tool_name)) return "";
        return line(
          paint("dim", short(`⚙ ${frame.data.payload.tool_name} → ${resultText(frame.data.payload.tool_result)}`)),
        );
      case "component_generator": {
        if (PLUMBING.has(frame.data.payload.component_type)) return "";
        const news = newIn(frame.data.payload, frame.data.item_id);
        const lines = news ?? [`${who} made a component: ${frame.data.payload.component_type}`];
        return lines.map((text) => line(paint("dim", `▤ ${text}`))).join("");
      }
      case "plan_require_user_input":
      case "task_waiting":
        return line(question(who, frame.data.payload, paint));
      case "task_retrying":
        return line(
          paint(
            "yellow",
            `↻ ${who} starts over (attempt ${frame.data.payload.attempt}): ${frame.data.payload.content}`,
          ),
        );
      case "task_cancelled":
        return line(paint("yellow", `✗ ${who} was cancelled: ${frame.data.payload.content}`));
      case "task_failed":
        return line(paint("red", `✗ ${who} failed: ${frame.data.payload.content}`));
      case "plan_failed":
      case "system_failed":
        return line(paint("red", `✗ ${frame.data.payload.content}`));
      case "verification_completed":
        return line(describeVerification(frame.data.payload, paint));
      case "done":
        return line(paint("dim", describeEnd(frame)));
      case "conversation_started":
      case "thread_started":
      case "reasoning_started":
      case "reasoning_completed":
        return "";
    }
  }
}

function describePlan(plan: Plan, paint: Paint): string {
  const numbers = new Map(plan.tasks.map((task, index) => [task.task_id, index + 1]));
  const rows = plan.tasks.map((task, index) => {
    const after = task.depends_on.map((id) => numbers.get(id)).filter((number) => number !== undefined);
    const waits = after.length === 0 ? "" : `, after ${after.join(" and ")}`;
    return `  ${index + 1}. ${task.title} ${paint("dim", `(${task.agent_name}${waits})`)}`;
  });
  return [paint("bold", "Plan"), ...rows].join("\n");
}

const MARKS: Readonly<Record<string, [mark: string, style: Style]>> = {
  executed_and_verified: ["✓", "dim"],
  verification_failed: ["✗", "red"],
  executed_but_unverified: ["–", "yellow"],
  verification_exception: ["!", "yellow"],
};

function describeVerification(
  { summary, results }: EventOf<"verification_completed">["data"]["payload"],
  paint: Paint,
) {
  const rows = z.array(checklistEntrySchema).safeParse(results).data ?? [];
  const checked = rows.map(({ status, agent_id, task_name, reason }) => {
    const [mark, style] = MARKS[status] ?? ["·", "dim"];
    return paint(style, `  ${short(`${mark} ${agent_id}: ${task_name}${reason === undefined ? "" : ` (${reason})`}`)}`);
  });
  return [`${paint("bold", "Verification")} ${summary}`, ...checked].join("\n");
}

function titleOf(plans: readonly Plan[], taskId: string): string {
  const task = plans.flatMap((plan) => plan.tasks).find((candidate) => candidate.task_id === taskId);
  return task === undefined ? "" : `: ${task.title}`;
}

function question(who: string, payload: { content: string; options?: string[] | undefined }, paint: Paint): string {
  const options = payload.options === undefined ? "" : ` [${payload.options.join(" | ")}]`;
  return paint("yellow", `? ${who} asks: ${payload.content}${options}`);
}

/** A tool's result is a JSON array of objects with `content`; anything else is shown as it is. */
function resultText(result: string): string {
  try {
    const parts: unknown = JSON.parse(result);
    if (!Array.isArray(parts)) return result;
    return parts
      .map((part: { content?: unknown }) => (typeof part.content === "string" ? part.content : JSON.stringify(part)))
      .join(" ");
  } catch {
    return result;
  }
}

function describeEnd(frame: Frame): string {
  const end = wasCancelled(frame) ? "cancelled" : "done";
  const usage = frame.data.metadata?.["usage"] as Usage | undefined;
  if (usage === undefined) return end;
  const tasks = usage.tasks === 0 ? "" : usage.tasks === 1 ? "1 task, " : `${usage.tasks} tasks, `;
  const calls = usage.model_calls === 1 ? "1 model call" : `${usage.model_calls} model calls`;
  const seconds = (usage.duration_ms / 1000).toFixed(usage.duration_ms < 10_000 ? 2 : 0);
  return `${end}: ${tasks}${calls}, ${usage.input_tokens} tokens in, ${usage.output_tokens} out, ${seconds} s`;
}

function short(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= LINE_LENGTH ? flat : `${flat.slice(0, LINE_LENGTH - 1)}…`;
}
