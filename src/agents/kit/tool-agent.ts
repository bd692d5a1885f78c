// An agent that is a bounded loop of model and tool calls.
//
// The model answers with text, which is the agent's answer, or calls tools and sees their results in the next round.
// Open calls run one at a time, in their order. A call that needs the person ends the run with a question whose state
// holds the loop; the next run continues from the answer. A checkpoint is emitted before each model call and before
// each tool call, so that a crash repeats at most one of them. The limits of the budget span all runs of a task; the
// seconds count per run.

import { agentCardSchema, type AgentRequest } from "../../protocol/agent.ts";
import type { AgentDefinition, Model, RunContext, Said } from "./agent.ts";
import { stateOf } from "./ask.ts";
import { askUser } from "./ask-user.ts";
import { failureOf } from "./failure.ts";
import { Keeper } from "./keeper.ts";
import { DEFAULT_LIMITS, type Limits } from "./limits.ts";
import { openingOf, type ChatMessage } from "./prompt.ts";
import { readOnly, withoutMeans } from "./scope.ts";
import { fromStanding, pausedSchema, standingAtFirst, standingSchema, toStanding, type Standing } from "./standing.ts";
import { specsOf, think, type ModelRequest } from "./think.ts";
import type { Tool } from "./tool.ts";
import { openAll, type OpenToolbox, type Toolbox, type Within } from "./toolbox.ts";
import { stepFor, take, type Answered } from "./tool-calls.ts";

/** The constant inputs of one run of the loop. */
type Round = {
  readonly role: string;
  readonly model: Model;
  readonly tools: readonly Tool[];
  readonly limits: Limits;
  readonly request: AgentRequest;
  readonly env: RunContext["env"];
  readonly signal: AbortSignal;
  readonly opening: readonly ChatMessage[];
};

/**
 * Creates an agent from a card, instructions and tools. `serveAgent(toolAgent({ … }))` makes it an entrypoint. In a
 * read-only request it offers only read-only tools.
 */
export function toolAgent(options: {
  readonly card: AgentDefinition["card"];
  readonly instructions: string;
  /** Toolboxes are opened for every run and closed at its end. */
  readonly tools: readonly (Tool | Toolbox)[];
  /** Adds the tool `ask_user`. */
  readonly mayAsk?: boolean;
  readonly limits?: Partial<Limits>;
}): AgentDefinition {
  const card = agentCardSchema.parse(options.card);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const given = options.mayAsk === true ? [...options.tools, askUser] : options.tools;
  return {
    card: options.card,
    honours_scope: true,
    async *run(request, context) {
      const clock = AbortSignal.timeout(limits.seconds * 1000);
      const { model, env } = context;
      const signal = AbortSignal.any([context.signal, clock]);
      const opening = openingOf(options.instructions, request);
      const within: Within = { env, signal, settings: () => context.settings };
      let box: OpenToolbox | undefined;
      try {
        box = await openAll(given, within);
        const isLooking = request.metadata.scope === "read_only";
        const tools = isLooking ? readOnly(box.tools) : box.tools;
        if (isLooking && tools.length === 0) return yield* withoutMeans(request);
        yield yield* converse({ role: `agent:${card.name}`, model, tools, limits, request, env, signal, opening });
      } catch (thrown) {
        yield failureOf(thrown, clock, limits);
      } finally {
        box?.close();
      }
    },
  };
}

/** Runs the loop until there is an answer or a question, which it returns as the final event. */
async function* converse(round: Round): AsyncGenerator<Said, Said> {
  const { standing, answered } = beginning(round);
  const keeper = new Keeper(round.request.checkpoint);
  let answer = answered;
  for (;;) {
    const question = yield* carryOut(round, standing, keeper, answer);
    if (question !== undefined) return question;
    answer = undefined;
    if (standing.messages.length > 0) yield* keeper.keep(fromStanding(standing));
    const asked = requestFor(round, standing);
    const { text, toolCalls } = yield* think(round.model, asked, standing.used, { mayRetract: keeper.isUpToDate });
    standing.hasSpoken ||= text.trim() !== "";
    if (toolCalls.length === 0) {
      if (standing.hasSpoken) return { type: "completed" };
      return { type: "failed", reason: "The model gave an empty answer. Please try again.", code: "model_malformed" };
    }
    standing.messages.push({ role: "assistant", content: text, toolCalls: [...toolCalls] });
    standing.open.push(...toolCalls);
  }
}

/** Creates the state at the start of a run: new, from the reply to its question, or from a checkpoint. */
function beginning({ request, limits }: Round): { standing: Standing; answered: Answered | undefined } {
  const { reply, checkpoint: kept } = request;
  if (reply !== undefined) {
    const paused = stateOf(request, pausedSchema);
    return { standing: toStanding(paused, limits), answered: { asked: paused.asked, answer: reply.answer } };
  }
  const standing = kept === undefined ? standingAtFirst(limits) : toStanding(stateOf(request, standingSchema), limits);
  return { standing, answered: undefined };
}

/**
 * Runs the open calls in their order. Returns a question if a call needs the person. `answered` belongs to the first
 * call.
 */
async function* carryOut(
  { tools, request, env, signal, limits }: Round,
  standing: Standing,
  keeper: Keeper,
  answered: Answered | undefined,
): AsyncGenerator<Said, Said | undefined> {
  let answer = answered;
  for (let call = standing.open[0]; call !== undefined; call = standing.open[0]) {
    const step = stepFor(tools, call, answer);
    // The answer is not part of the state: until its call has a result, a repeated run must receive the answer again.
    if (step.kind === "run" && answer === undefined) yield* keeper.keep(fromStanding(standing));
    if (answer === undefined) standing.used.takeToolCall();
    answer = undefined;
    if (step.kind === "ask") {
      const state = JSON.stringify({ ...fromStanding(standing), asked: step.asked });
      return { type: "input_required", ...step.question, state };
    }
    const call_id = `${request.task_id}/${standing.used.used.toolCalls}`;
    const content = yield* take(step, call, { request, env, signal, call_id }, limits.resultChars);
    standing.messages.push({ role: "tool", toolCallId: call.id, content });
    standing.open.shift();
  }
  return undefined;
}

function requestFor({ role, tools, opening, signal }: Round, { messages }: Standing): ModelRequest {
  return { role, messages: [...opening, ...messages], tools: specsOf(tools), signal };
}
