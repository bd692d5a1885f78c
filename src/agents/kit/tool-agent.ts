// A bounded loop of model and tools. The model answers with text, which is the agent's answer, or calls
// tools, whose results it sees in the next round. A call that the person has to be asked about ends the run;
// the next one goes on from the answer.

import { agentCardSchema, type AgentRequest } from "../../protocol/agent.ts";
import { Fault } from "../../protocol/fault.ts";
import type { AgentDefinition, Model, RunContext, Said } from "./agent.ts";
import { stateOf } from "./ask.ts";
import { askUser } from "./ask-user.ts";
import { Keeper } from "./keeper.ts";
import { DEFAULT_LIMITS, Exhausted, type Limits } from "./limits.ts";
import { Mailbox } from "./mailbox.ts";
import { openingOf, type ChatMessage } from "./prompt.ts";
import { fromStanding, pausedSchema, standingAtFirst, standingSchema, toStanding, type Standing } from "./standing.ts";
import type { Tool } from "./tool.ts";
import { stepFor, take, type Answered } from "./tool-calls.ts";

type Completion = Awaited<ReturnType<Model["complete"]>>;

/** One run of the loop: what it works with. */
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

/** An agent that works with a model and tools. `serveAgent(toolAgent({ … }))` makes it an entrypoint. */
export function toolAgent(options: {
  readonly card: AgentDefinition["card"];
  readonly instructions: string;
  readonly tools: readonly Tool[];
  /** Gives the model a tool to ask the person with. */
  readonly mayAsk?: boolean;
  readonly limits?: Partial<Limits>;
}): AgentDefinition {
  const card = agentCardSchema.parse(options.card);
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const tools = options.mayAsk === true ? [...options.tools, askUser] : options.tools;
  return {
    card: options.card,
    async *run(request, context) {
      const clock = AbortSignal.timeout(limits.seconds * 1000);
      const { model, env } = context;
      const signal = AbortSignal.any([context.signal, clock]);
      const opening = openingOf(options.instructions, request);
      try {
        yield yield* converse({ role: `agent:${card.name}`, model, tools, limits, request, env, signal, opening });
      } catch (thrown) {
        yield failureOf(thrown, clock, limits);
      }
    },
  };
}

/** The ways a run can end badly, as its last word. */
function failureOf(thrown: unknown, clock: AbortSignal, { seconds }: Limits): Said {
  const failed = (reason: string, code: string): Said => ({ type: "failed", reason, code });
  if (clock.aborted) return failed(`The agent had no answer after ${seconds} seconds.`, "agent_exhausted");
  if (thrown instanceof Exhausted) return failed(thrown.message, "agent_exhausted");
  if (thrown instanceof Fault) return failed(thrown.message, "agent_failed");
  if (isModelFault(thrown)) return failed(thrown.message, thrown.code);
  throw thrown;
}

/** Works until there is an answer or a question, which it returns as the last word. */
async function* converse(round: Round): AsyncGenerator<Said, Said> {
  const { standing, answered } = beginning(round);
  const keeper = new Keeper(round.request.checkpoint);
  let answer = answered;
  for (;;) {
    const question = yield* carryOut(round, standing, keeper, answer);
    if (question !== undefined) return question;
    answer = undefined;
    if (standing.messages.length > 0) yield* keeper.keep(standing);
    const { text, toolCalls } = yield* think(round, standing);
    standing.hasSpoken ||= text.trim() !== "";
    if (toolCalls.length === 0) {
      if (standing.hasSpoken) return { type: "completed" };
      return { type: "failed", reason: "The model gave no answer.", code: "model_malformed" };
    }
    standing.messages.push({ role: "assistant", content: text, toolCalls: [...toolCalls] });
    standing.open.push(...toolCalls);
  }
}

/** Where a run begins: at the request, at the answer to its question, or where a crash left it. */
function beginning({ request, limits }: Round): { standing: Standing; answered: Answered | undefined } {
  const { reply, checkpoint: kept } = request;
  if (reply !== undefined) {
    const paused = stateOf(request, pausedSchema);
    return { standing: toStanding(paused, limits), answered: { asked: paused.asked, answer: reply.answer } };
  }
  const standing = kept === undefined ? standingAtFirst(limits) : toStanding(stateOf(request, standingSchema), limits);
  return { standing, answered: undefined };
}

/** The open calls in their order, up to one that has to be asked about. `answered` is of the first. */
async function* carryOut(
  { tools, request, env, signal, limits }: Round,
  standing: Standing,
  keeper: Keeper,
  answered: Answered | undefined,
): AsyncGenerator<Said, Said | undefined> {
  let answer = answered;
  for (let call = standing.open[0]; call !== undefined; call = standing.open[0]) {
    const step = stepFor(tools, call, answer);
    // An answer is not in the state: until its call has a result, going on means to be given it again.
    if (step.kind === "run" && answer === undefined) yield* keeper.keep(standing);
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

/** One model call, told while it is heard, and what it cost once it is over. */
async function* think(
  { model, role, tools, opening, signal }: Round,
  { messages, used }: Standing,
): AsyncGenerator<Said, Completion> {
  used.takeModelCall();
  const box = new Mailbox();
  const specs = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  const answer = model.complete({ role, messages: [...opening, ...messages], tools: specs, signal }, (delta) =>
    box.push({ type: delta.type, text: delta.text }),
  );
  const ended = answer.then(
    () => box.close(),
    () => box.close(),
  );
  yield* box;
  await ended;
  const usage = { model_calls: 1, input_tokens: 0, output_tokens: 0 };
  try {
    const completion = await answer;
    used.addTokens(completion.usage);
    usage.input_tokens = completion.usage.inputTokens;
    usage.output_tokens = completion.usage.outputTokens;
    return completion;
  } finally {
    yield { type: "usage", usage };
  }
}

/** The model's own failure, told by its shape: its class lives in a layer that agents do not know. */
function isModelFault(thrown: unknown): thrown is Error & { readonly code: string } {
  return thrown instanceof Error && thrown.name === "ModelFault" && "code" in thrown && typeof thrown.code === "string";
}
