// Formats the frames of a thread for a terminal: one line per event, text as it streams in.

import * as z from "zod";
import type { EventOf, Frame, Usage } from "../../src/protocol/wire/events.ts";
import type { Plan } from "../../src/protocol/plans/task-plan.ts";
import { checklistEntrySchema } from "../../src/protocol/plans/verification.ts";
import { createComponentFormatter } from "./components.ts";
import { wasCancelled } from "./ask-thread.ts";
import { escapeTerminalControls, type Paint, type Style } from "./paint.ts";
import { createAgentOutput } from "./agent-output.ts";

const LINE_LENGTH = 140;
/** Tool calls and components whose information other lines already contain. */
const INTERNAL_NAMES: ReadonlySet<string> = new Set([
  "connect_agent",
  "generate_execution_plan",
  "subagent_conversation",
  "plan_instance",
  "plan_listener",
  "toolsmith_progress",
]);

/**
 * Creates a function that returns the text for each frame, in order. Task titles come from the plans of earlier frames
 * and from `before`. `url` is the prefix of links to pages and schedules.
 */
export function createPrinter(paint: Paint, url = "") {
  const output = createAgentOutput(paint);
  const describeComponent = createComponentFormatter(url);
  const createdPlans: Plan[] = [];

  return (frame: Frame, before: readonly Plan[] = []): string => escapeTerminalControls(formatFrame(frame, before));

  function formatFrame(frame: Frame, before: readonly Plan[]): string {
    const plans = [...before, ...createdPlans];
    const speaker = frame.data.agent_name ?? "Orrery";
    const writeLine = (text: string) =>
      output.writeLine("task_id" in frame.data ? frame.data.task_id : undefined, text);
    switch (frame.event) {
      case "message_chunk":
        return output.writeText(frame.data.task_id, { speaker, text: frame.data.payload.content });
      case "reasoning":
        return output.writeText(frame.data.task_id, { speaker, text: frame.data.payload.content, style: "dim" });
      case "message": {
        const { role, task_id: task, payload } = frame.data;
        if (role === "user" || task === undefined)
          return writeLine(`${paint("bold", `${role === "user" ? "You" : speaker}:`)} ${payload.content}`);
        return output.writeText(task, { speaker, text: `${payload.content}\n`, isComplete: true });
      }
      case "triage_completed": {
        const { decision, strategy, selected_agents: agents, reason } = frame.data.payload;
        if (decision === "answer") return "";
        const target = agents.length === 0 ? "the planner" : agents.join(", ");
        return writeLine(paint("dim", shorten(`→ handed off to ${target} (${strategy}): ${reason}`)));
      }
      case "plan_created":
        createdPlans.push(frame.data.payload.plan);
        return writeLine(describePlan(frame.data.payload.plan, paint));
      case "task_started":
        return writeLine(paint("cyan", `▸ ${speaker}${formatTitle(plans, frame.data.task_id)}`));
      case "task_completed":
        return writeLine(paint("dim", `✓ ${speaker}${formatTitle(plans, frame.data.task_id)}`));
      case "tool_call_started":
        if (INTERNAL_NAMES.has(frame.data.payload.tool_name)) return "";
        return writeLine(
          paint(
            "dim",
            shorten(`⚙ ${speaker} calls ${frame.data.payload.tool_name} ${frame.data.payload.tool_arguments ?? ""}`),
          ),
        );
      case "tool_call_completed":
        if (INTERNAL_NAMES.has(frame.data.payload.tool_name)) return "";
        return writeLine(
          paint(
            "dim",
            shorten(`⚙ ${frame.data.payload.tool_name} → ${formatToolResult(frame.data.payload.tool_result)}`),
          ),
        );
      case "component_generator": {
        if (INTERNAL_NAMES.has(frame.data.payload.component_type)) return "";
        const changes = describeComponent(frame.data.payload, frame.data.item_id);
        const lines = changes ?? [`${speaker} made a component: ${frame.data.payload.component_type}`];
        return lines.map((text) => writeLine(paint("dim", `▤ ${text}`))).join("");
      }
      case "plan_require_user_input":
      case "task_waiting":
        return writeLine(formatQuestion(speaker, frame.data.payload, paint));
      case "task_retrying":
        return writeLine(
          paint(
            "yellow",
            `↻ ${speaker} is restarting (attempt ${frame.data.payload.attempt}): ${frame.data.payload.content}`,
          ),
        );
      case "task_cancelled":
        return writeLine(paint("yellow", `✗ ${speaker} was cancelled: ${frame.data.payload.content}`));
      case "task_failed":
        return writeLine(paint("red", `✗ ${speaker} failed: ${frame.data.payload.content}`));
      case "plan_failed":
      case "system_failed":
        return writeLine(paint("red", `✗ ${frame.data.payload.content}`));
      case "verification_completed":
        return writeLine(describeVerification(frame.data.payload, paint));
      case "done":
        return writeLine(paint("dim", describeEnd(frame)));
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
    const dependencies = after.length === 0 ? "" : `, after ${after.join(" and ")}`;
    return `  ${index + 1}. ${task.title} ${paint("dim", `(${task.agent_name}${dependencies})`)}`;
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
  const entries = rows.map(({ status, agent_id, task_name, reason }) => {
    const [mark, style] = MARKS[status] ?? ["·", "dim"];
    return paint(
      style,
      `  ${shorten(`${mark} ${agent_id}: ${task_name}${reason === undefined ? "" : ` (${reason})`}`)}`,
    );
  });
  return [`${paint("bold", "Verification")} ${summary}`, ...entries].join("\n");
}

function formatTitle(plans: readonly Plan[], taskId: string): string {
  const task = plans.flatMap((plan) => plan.tasks).find((candidate) => candidate.task_id === taskId);
  return task === undefined ? "" : `: ${task.title}`;
}

function formatQuestion(
  speaker: string,
  payload: { content: string; options?: string[] | undefined },
  paint: Paint,
): string {
  const options = payload.options === undefined ? "" : ` [${payload.options.join(" | ")}]`;
  return paint("yellow", `? ${speaker} asks: ${payload.content}${options}`);
}

/** Formats the result of a tool, a JSON array of objects with `content`. Returns other results unchanged. */
function formatToolResult(result: string): string {
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

function shorten(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ").trim();
  return flat.length <= LINE_LENGTH ? flat : `${flat.slice(0, LINE_LENGTH - 1)}…`;
}
