import type { Message } from "@a2a-js/sdk";
import { EVENTS_EXTENSION } from "../../protocol/a2a.ts";
import { agentMetadataSchema, type AgentMetadata, type AgentRequest } from "../../protocol/agent.ts";
import type { AgentDefinition, RunContext, Said } from "./agent.ts";
import { Mailbox } from "./mailbox.ts";

/**
 * Runs an agent to its end, with exactly one last word (`completed`, `failed` or `input_required`), and never
 * throws. The agent works ahead of its reader by a bounded amount; when the signal aborts, the reader is
 * let go at once and the agent's generator is closed.
 */
export function perform(agent: AgentDefinition, request: AgentRequest, context: RunContext): Mailbox {
  const box = new Mailbox();
  const source = guarded(agent, request, context);
  const stop = () => box.close();
  context.signal.addEventListener("abort", stop, { once: true });
  const pumped = pump(source, box, context.signal).finally(() => context.signal.removeEventListener("abort", stop));
  pumped.catch((thrown: unknown) => console.error(`${agent.card.name}: cannot be closed`, thrown));
  return box;
}

async function pump(source: AsyncIterable<Said>, box: Mailbox, signal: AbortSignal): Promise<void> {
  try {
    for await (const said of source) {
      if (signal.aborted) return;
      box.push(said);
      const room = box.room();
      if (room !== undefined) await room;
    }
  } finally {
    box.close();
  }
}

async function* guarded(agent: AgentDefinition, request: AgentRequest, context: RunContext): AsyncGenerator<Said> {
  try {
    for await (const said of agent.run(request, context)) {
      yield said;
      if (said.type === "completed" || said.type === "failed" || said.type === "input_required") return;
    }
    yield { type: "completed" };
  } catch (thrown) {
    if (context.signal.aborted) return;
    console.error(`${agent.card.name} failed`, thrown);
    yield { type: "failed", reason: "The agent stopped unexpectedly.", code: "agent_failed" };
  }
}

/** What an A2A message asks for. A message from a stranger lacks most of it. */
export function requestOf(message: Message, runId: string, contextId: string): AgentRequest {
  const texts = message.parts.flatMap((part) => (part.content?.$case === "text" ? [part.content.value] : []));
  const ours: unknown = message.metadata?.[EVENTS_EXTENSION];
  const taskId = typeof ours === "object" && ours !== null && "task_id" in ours ? ours.task_id : undefined;
  return {
    message_id: message.messageId,
    task_id: typeof taskId === "string" ? taskId : runId,
    conversation_id: contextId,
    query: texts.join("\n"),
    metadata: metadataOf(message.metadata ?? {}),
  };
}

/** Reads the known keys one by one if it has to: a stranger's odd `language` must not cost us the `timezone`. */
function metadataOf(given: Readonly<Record<string, unknown>>): AgentMetadata {
  const whole = agentMetadataSchema.safeParse(given);
  if (whole.success) return whole.data;
  const known = Object.entries(agentMetadataSchema.shape).filter(
    ([key, schema]) => schema.safeParse(given[key]).success,
  );
  return agentMetadataSchema.parse(Object.fromEntries(known.map(([key]) => [key, given[key]])));
}
