// Decides about calls with an effect in a run that has read untrusted text.
//
// A call needs approval if a part of its arguments comes from text that neither the person nor the deployment wrote, or
// if the run has read such text and none of the arguments is the person's. The decision depends only on the request, the
// instructions, the tools and the messages of the loop, so a repeated run decides alike.

import type { AgentRequest } from "../../../protocol/agents/agent.ts";
import { createApprovalRemark, listPersonTexts, listSourceNames, listUntrustedTexts } from "../request-texts.ts";
import {
  ArgumentExaminer,
  type ArgumentVerdict,
  type ReadTexts,
  type UntrustedText,
} from "../../../protocol/provenance/examine-arguments.ts";
import type { UntrustedInputPolicy } from "../../../protocol/provenance/untrusted-input-policy.ts";
import { createApprovalQuestion } from "./approval-question.ts";
import { collectSchemaKeys, collectSchemaDefaults } from "./json-schema.ts";
import type { AgentTool, AgentToolArguments } from "./tool.ts";
import { createResultStep, type ToolCallStep } from "./tool-calls.ts";
import type { LoopMessage } from "./tool-loop-state.ts";

type GuardInput = {
  readonly request: AgentRequest;
  readonly instructions: string;
  readonly tools: readonly AgentTool[];
  readonly policy: UntrustedInputPolicy;
};

/** Examines the calls of one run. It owns the indexes of the texts, which are built with the first call that needs them. */
export class UntrustedInputGuard {
  readonly #input: GuardInput;
  readonly #examiner = new ArgumentExaminer();

  constructor(input: GuardInput) {
    this.#input = input;
  }

  /**
   * Returns the step that a call takes: the same step, a question for approval, or a refusal. `messages` are those of the
   * loop so far. A question for approval gets the origins of its arguments.
   */
  decide(step: ToolCallStep, messages: readonly LoopMessage[]): ToolCallStep {
    const { policy } = this.#input;
    if (step.kind === "tell" || policy === "trusted") return step;
    if (step.kind === "ask") return step.asked.kind === "approval" ? this.#decideQuestion(step, messages) : step;
    if (!step.tool.has_effect) return step;
    const { tool, arguments: args } = step;
    const texts = this.#listTexts(tool, messages);
    const verdict = this.#examine(tool, args, texts);
    const remark = createApprovalRemark(verdict, texts);
    if (remark === null) return step;
    if (policy === "never") return createRefusalStep(verdict);
    const question = createApprovalQuestion(tool.name, args, tool.parameters, remark, verdict.origins);
    return { kind: "ask", tool, question, asked: { kind: "approval", arguments: { ...args } } };
  }

  #decideQuestion(step: Extract<ToolCallStep, { kind: "ask" }>, messages: readonly LoopMessage[]): ToolCallStep {
    const { approval } = step.question;
    const verdict = this.#examine(step.tool, step.asked.arguments, this.#listTexts(step.tool, messages));
    if (verdict.origins.length === 0 || approval === undefined) return step;
    if (this.#input.policy === "never") return createRefusalStep(verdict);
    return { ...step, question: { ...step.question, approval: { ...approval, origins: [...verdict.origins] } } };
  }

  #examine({ parameters }: AgentTool, args: AgentToolArguments, texts: ReadTexts): ArgumentVerdict {
    return this.#examiner.examine(args, texts, collectSchemaKeys(parameters));
  }

  #listTexts(tool: AgentTool, messages: readonly LoopMessage[]): ReadTexts {
    const { request, instructions, tools } = this.#input;
    const results = messages.flatMap((message) => (message.role === "tool" ? [message] : []));
    const descriptions = tools.flatMap(({ name, description, parameters, is_foreign }): UntrustedText[] => {
      const text = `${description}\n${JSON.stringify(parameters)}`;
      return is_foreign === true && name !== tool.name ? [{ source: name, text, onlyPhrases: true }] : [];
    });
    return {
      person: [
        ...listPersonTexts(request),
        ...results.flatMap(({ content, by }) => (by.kind === "person" ? content : [])),
      ],
      deployment: [instructions, ...collectSchemaDefaults(tool.parameters)],
      untrusted: [
        ...listUntrustedTexts(request),
        ...results.flatMap(({ content: text, by }): UntrustedText[] =>
          by.kind === "tool" ? [{ source: by.tool, text, ref: by.call_id }] : [],
        ),
        ...descriptions,
      ],
    };
  }
}

function createRefusalStep({ origins }: ArgumentVerdict): ToolCallStep {
  const sources = listSourceNames(origins).join(", ");
  const from = sources === "" ? "none of them is the person's" : `they contain text from ${sources}`;
  return createResultStep(`Error: this call is not allowed with these arguments, because ${from}.`);
}
