// An agent that is a bounded loop of model and tool calls.
//
// The model answers with text, which is the agent's answer, or calls tools and sees their results in the next round.
// Open calls run one at a time, in their order. A call that needs the person ends the run with a question whose state
// holds the loop; the next run continues from the answer. A checkpoint is emitted before each model call and before
// each tool call, so that a crash repeats at most one of them. The limits of the budget span all runs of a task; the
// seconds count per run. A failed call of a tool with an effect fails the task in the end, unless the model has called the
// tool again with success: its words cannot turn a failure into a success.

import { agentCardSchema, type AgentChecks, type AgentRequest } from "../../../protocol/agents/agent.ts";
import { detectRequestLanguage } from "../../../language/detect-language.ts";
import { createMessage, formatMessage } from "../../../language/messages.ts";
import type { AgentModel, AgentRunEvent, ModelAgentDefinition, RunContext } from "../agent.ts";
import { parseState } from "../ask.ts";
import { toFailedEvent } from "../run-failure.ts";
import { Checkpointer } from "../checkpointer.ts";
import { DEFAULT_LIMITS, type AgentLimits } from "../agent-limits.ts";
import { createOpeningMessages, formatQuery, type ModelMessage } from "../agent-prompt.ts";
import {
  serializeLoopState,
  pausedLoopStateSchema,
  createLoopState,
  findUnresolvedFailure,
  loopStateSchema,
  restoreLoopState,
  toModelMessage,
  type ToolLoopState,
} from "./tool-loop-state.ts";
import { toToolSpecs, callModel, type AgentModelRequest } from "../call-model.ts";
import { type AgentTool, tool } from "./tool.ts";
import { listPlainTools, openToolboxes, type OpenToolbox, type Toolbox, type ToolboxContext } from "./toolbox.ts";
import { selectTools } from "./select-tools.ts";
import { UntrustedInputGuard } from "./untrusted-input.ts";
import type { UntrustedInputPolicy } from "../../../protocol/provenance/untrusted-input-policy.ts";
import { selectStep, runToolCallStep, type AnsweredQuestion } from "./tool-calls.ts";
import { listCheckTools, runCheck } from "./run-check.ts";
import { requireCriterion, canStateCriterion, runCriterionCall, stateCriterionTool } from "./state-criterion.ts";
import * as z from "zod";
import { filterReadOnlyTools, refuseReadOnlyRequest } from "../read-only-scope.ts";

type ToolLoopInput = {
  readonly role: string;
  readonly model: AgentModel;
  readonly tools: readonly AgentTool[];
  readonly guard: UntrustedInputGuard;
  readonly limits: AgentLimits;
  readonly request: AgentRequest;
  readonly env: RunContext["env"];
  readonly signal: AbortSignal;
  readonly opening: readonly ModelMessage[];
  /** The model may state a criterion. If it is required, it must precede the first call with an effect. */
  readonly canState: boolean;
};

/**
 * Creates an agent from a card, instructions and tools. `serveAgent(withModel(toolAgent({ … })))` makes it an entrypoint. In a
 * read-only request it offers only read-only tools; without any it says so and calls no model. It runs checks of the
 * runtime without a model. Throws if the card is invalid.
 */
export function toolAgent(options: {
  readonly card: ModelAgentDefinition["card"];
  readonly instructions: string;
  /** Toolboxes are opened for every run and closed at its end. */
  readonly tools: readonly (AgentTool | Toolbox)[];
  /** Adds the tool `ask_user`. */
  readonly mayAsk?: boolean;
  /** The policy for calls with an effect whose arguments come from untrusted text; `ask` by default. */
  readonly untrustedInput?: UntrustedInputPolicy;
  /** Replaces members of `DEFAULT_LIMITS`. */
  readonly limits?: Partial<AgentLimits>;
}): ModelAgentDefinition {
  const card = agentCardSchema.parse(options.card);
  const { instructions, untrustedInput: policy = "ask" } = options;
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const toolSources = options.mayAsk === true ? [...options.tools, askUserTool] : options.tools;
  const plainNames = new Set(listPlainTools(toolSources).map(({ name }) => name));
  return {
    card: { ...options.card, ...buildChecks(toolSources) },
    honours_scope: true,
    async *run(request, context) {
      const timeoutSignal = AbortSignal.timeout(limits.seconds * 1000);
      const { model, env } = context;
      const signal = AbortSignal.any([context.signal, timeoutSignal]);
      const toolboxContext: ToolboxContext = { env, signal, settings: () => context.settings };
      let toolbox: OpenToolbox | undefined;
      try {
        toolbox = await openToolboxes(toolSources, toolboxContext);
        const isReadOnly = request.metadata.scope === "read_only";
        const allowed = isReadOnly ? filterReadOnlyTools(toolbox.tools) : toolbox.tools;
        if (request.metadata.check !== undefined) {
          const checkContext = { request, env, signal, call_id: `${request.task_id}/1` };
          yield* runCheck(request.metadata.check, filterReadOnlyTools(toolbox.tools), checkContext, limits.resultChars);
          return;
        }
        if (isReadOnly && allowed.length === 0) return yield* refuseReadOnlyRequest(request);
        if (!isReadOnly) yield* describeUnusableTools(toolbox, request);
        const { tools: selected, note } = selectTools(allowed, plainNames, formatQuery(request));
        const canState = canStateCriterion(request, selected);
        const tools = canState ? [...selected, stateCriterionTool] : selected;
        const notes = [note, toolbox.notes.length > 0 ? UNUSABLE_TOOLS_NOTE : ""].filter((each) => each !== "");
        const opening = createOpeningMessages([instructions, ...notes].join("\n\n"), request);
        const guard = new UntrustedInputGuard({ request, instructions, tools, policy });
        const role = `agent:${card.name}`;
        yield yield* runToolLoop({ role, model, tools, guard, limits, request, env, signal, opening, canState });
      } catch (thrown) {
        yield toFailedEvent(thrown, request, timeoutSignal, limits);
      } finally {
        toolbox?.close();
      }
    },
  };
}

/** Returns the `checks` of the card; {} if no tool has an effect. The tools of toolboxes are not known here. */
function buildChecks(sources: readonly (AgentTool | Toolbox)[]): { readonly checks?: AgentChecks } {
  const hasEffects = sources.some((source) => "open" in source || (source !== askUserTool && source.has_effect));
  return hasEffects ? { checks: { tools: listCheckTools(listPlainTools(sources)) } } : {};
}

const UNUSABLE_TOOLS_NOTE =
  "Some tools of the connected servers cannot be used, because their definitions are not valid or too large. The person has been told which.";

/** Tells the person once per task which tools cannot be used. */
function* describeUnusableTools({ notes }: OpenToolbox, request: AgentRequest): Generator<AgentRunEvent, void> {
  if (notes.length === 0 || request.reply !== undefined || request.checkpoint !== undefined) return;
  yield { type: "notification", text: formatMessage(detectRequestLanguage(request), notes) };
}

async function* runToolLoop(input: ToolLoopInput): AsyncGenerator<AgentRunEvent, AgentRunEvent> {
  const { state, answered: answeredQuestion } = loadLoopState(input);
  const checkpointer = new Checkpointer(input.request.checkpoint);
  const language = detectRequestLanguage(input.request);
  let answer = answeredQuestion;
  for (;;) {
    const finalEvent = yield* runPendingCalls(input, state, checkpointer, answer);
    if (finalEvent !== undefined) return finalEvent;
    answer = undefined;
    if (state.messages.length > 0) yield* checkpointer.save(serializeLoopState(state));
    const modelRequest = createModelRequest(input, state);
    const { text, toolCalls } = yield* callModel(input.model, modelRequest, state.budget, {
      mayRetract: checkpointer.isUpToDate,
      language,
    });
    state.hasEmittedText ||= text.trim() !== "";
    if (toolCalls.length === 0) {
      const failure = findUnresolvedFailure(state);
      if (failure !== undefined) return { type: "failed", reason: failure, code: "tool_failed" };
      if (state.hasEmittedText) return { type: "completed" };
      const reason = formatMessage(language, createMessage("model.emptyAnswer"));
      return { type: "failed", reason, code: "model_malformed" };
    }
    state.messages.push({ role: "assistant", content: text, toolCalls: [...toolCalls] });
    state.pendingCalls.push(...toolCalls);
  }
}

function loadLoopState({ request, limits }: ToolLoopInput): {
  state: ToolLoopState;
  answered: AnsweredQuestion | undefined;
} {
  const { reply, checkpoint: storedState } = request;
  if (reply !== undefined) {
    const paused = parseState(request, pausedLoopStateSchema);
    return { state: restoreLoopState(paused, limits), answered: { asked: paused.asked, answer: reply.answer } };
  }
  const state =
    storedState === undefined
      ? createLoopState(limits)
      : restoreLoopState(parseState(request, loopStateSchema), limits);
  return { state, answered: undefined };
}

/**
 * Runs the pending calls in their order. Returns a question if a call needs the person, else undefined.
 * `answeredQuestion` belongs to the first call.
 */
async function* runPendingCalls(
  { tools, guard, request, env, signal, limits, canState }: ToolLoopInput,
  state: ToolLoopState,
  checkpointer: Checkpointer,
  answeredQuestion: AnsweredQuestion | undefined,
): AsyncGenerator<AgentRunEvent, AgentRunEvent | undefined> {
  let answer = answeredQuestion;
  for (let call = state.pendingCalls[0]; call !== undefined; call = state.pendingCalls[0]) {
    const selected = selectStep(tools, call, answer);
    // A call that the person has approved runs with the arguments that they saw.
    const isRequired = canState && request.metadata.criterion === "required";
    const ready = isRequired ? requireCriterion(selected, state.messages) : selected;
    const step = selected.kind === "run" && answer !== undefined ? selected : guard.decide(ready, state.messages);
    // The answer is not part of the state: until its call has a result, a repeated run must receive the answer again.
    if (step.kind === "run" && answer === undefined) yield* checkpointer.save(serializeLoopState(state));
    if (answer === undefined) state.budget.spendToolCall();
    answer = undefined;
    if (step.kind === "ask") {
      const questionState = JSON.stringify({ ...serializeLoopState(state), asked: step.asked });
      const prompt = formatMessage(detectRequestLanguage(request), step.question.prompt);
      return { type: "input_required", ...step.question, prompt, state: questionState };
    }
    const call_id = `${request.task_id}/${state.budget.usage.toolCalls}`;
    const context = { request, env, signal, call_id };
    const isCriterion = canState && call.name === stateCriterionTool.name;
    const result = isCriterion
      ? yield* runCriterionCall(call, tools, state.messages, context, limits.resultChars)
      : yield* runToolCallStep(step, call, context, limits.resultChars);
    state.messages.push({ role: "tool", toolCallId: call.id, ...result });
    state.pendingCalls.shift();
  }
  return undefined;
}

function createModelRequest(
  { role, tools, opening, signal }: ToolLoopInput,
  { messages }: ToolLoopState,
): AgentModelRequest {
  return { role, messages: [...opening, ...messages.map(toModelMessage)], tools: toToolSpecs(tools), signal };
}

const OPTION_LIMITS = { count: 12, chars: 200 };

const parameters = z.object({
  question: z.string().min(1).max(4_000).describe("One question, complete in itself."),
  options: z
    .array(z.string().min(1).max(OPTION_LIMITS.chars))
    .max(OPTION_LIMITS.count)
    .optional()
    .describe("Answers to choose from."),
});

const baseTool = tool({
  name: "ask_user",
  description:
    "Asks the person for something that only they can know, and waits for the answer. Not for leave to use a tool: that is asked for by itself.",
  parameters,
  run: () => "",
});

/**
 * The tool `ask_user`. `check` turns the arguments into a question and throws a `Fault` (`invalid_request`) for invalid
 * ones. `call` is never used: the person's answer becomes the result of the call.
 */
const askUserTool: AgentTool = {
  ...baseTool,
  check(args) {
    const { arguments: checkedArguments } = baseTool.check(args);
    const { question: prompt, options } = parameters.parse(checkedArguments);
    return { arguments: checkedArguments, question: { prompt, ...(options === undefined ? {} : { options }) } };
  },
};
