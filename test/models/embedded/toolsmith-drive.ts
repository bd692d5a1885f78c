// Drives the toolsmith's side of the embedded model as the agent does: split, choose or write, run, tell.

import { answerRequest } from "../../../src/models/embedded/embedded-fetch.ts";
import type { ChatTurn } from "../../../src/models/embedded/chat-completions.ts";

export type Values = Record<string, unknown>;
export type Kept = {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly parameters: Record<string, unknown>;
  readonly code?: string;
};
export type Subtask = { readonly id: string; readonly description: string; readonly category: string };
type Found = { readonly title: string; readonly result: string };
export type Step = {
  readonly subtask: Subtask;
  readonly way: "use_existing" | "generate";
  readonly tool?: string;
  readonly arguments?: Values;
  readonly result?: string;
  readonly error?: string;
};

export const NOW = Date.parse("2026-11-21T08:00:00Z");
const SYSTEM = `You are a toolsmith.

Now: 2026-11-21T08:00:00Z
Time zone of the person: Asia/Shanghai`;

/** One answer of the model: plain text, or the arguments of the only call. */
export function said(
  tool: string | null,
  content: string,
  attempts: readonly [args: Values, problem: string][] = [],
  system = SYSTEM,
) {
  const turn = (role: ChatTurn["role"], text: string, more: Partial<ChatTurn> = {}): ChatTurn => ({
    role,
    text,
    toolCalls: [],
    toolCallId: "",
    ...more,
  });
  const turns = attempts.flatMap(([args, problem], i) => [
    turn("assistant", "", { toolCalls: [{ id: `call-${i}`, name: tool ?? "", arguments: JSON.stringify(args) }] }),
    turn("tool", problem, { toolCallId: `call-${i}` }),
  ]);
  const answer = answerRequest(
    {
      turns: [turn("system", system), turn("user", content), ...turns],
      tools: tool === null ? [] : [{ name: tool, description: "", parameters: {} }],
      isStreamed: false,
      wantsUsage: false,
    },
    "agent:toolsmith",
  );
  if (answer.kind === "text") return { text: answer.text, call: null };
  return { text: null, call: (answer.calls[0]?.arguments ?? {}) as Values };
}

const fence = (label: string, data: unknown) => `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
const described = (query: string, found: readonly Found[], subtask: Subtask) => [
  fence("Request:", query),
  ...(found.length === 0 ? [] : [fence("Results so far:", found)]),
  fence("Sub-task:", subtask),
];

export function split(request: string, found: readonly Found[] = []): readonly Subtask[] | string {
  const { text, call } = said(
    "plan_subtasks",
    [request, ...(found.length === 0 ? [] : [fence("Results so far:", found)])].join("\n\n"),
  );
  return text ?? (call as { tasks: Subtask[] }).tasks;
}

export function choose(
  description: string,
  tools: readonly Kept[],
  found: readonly Found[] = [],
  query = description,
): Values {
  const subtask = { id: "1", description, category: "math" };
  const listed = tools.map(({ code: _, ...tool }) => tool);
  const { call } = said(
    "choose_tool",
    [
      "Does one of these tools do the sub-task?",
      ...described(query, found, subtask),
      fence("Tools that exist:", listed),
    ].join("\n\n"),
  );
  return call ?? {};
}

export function write(description: string, found: readonly Found[] = [], attempts: readonly [Values, string][] = []) {
  const subtask = { id: "1", description, category: "math" };
  return said(
    "write_tool",
    ["Write one tool for this sub-task.", ...described(description, found, subtask)].join("\n\n"),
    attempts,
  );
}

export function worded(query: string, results: readonly Values[], language = "zh"): string {
  const system = `${SYSTEM}\nLanguage of the person: ${language}`;
  return (
    said(null, ["Word the answer.", fence("Request:", query), fence("Results:", results)].join("\n\n"), [], system)
      .text ?? ""
  );
}

/** A step in a line: `math/multiply {"numbers":[678,8776]} = 5950128`. */
export function told({ subtask, tool, arguments: args, result, error }: Step): string {
  if (tool === undefined) return `${subtask.category}: refused`;
  return `${subtask.category}/${tool} ${JSON.stringify(args)} ${error === undefined ? `= ${result}` : `! ${error}`}`;
}

/** Runs a tool's code as it stands. */
export function run(code: string, args: Values): unknown {
  // eslint-disable-next-line typescript/no-implied-eval
  const made = new Function(`"use strict";\n${code}\nreturn run;`) as () => (args: Values) => unknown;
  return made()(args);
}

export const asText = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));

/** A whole request, tools kept in `kept`. */
export function carryOut(request: string, kept: Kept[], given: readonly Found[] = []) {
  const subtasks = split(request, given);
  if (typeof subtasks === "string") return { answer: subtasks, steps: [] as Step[] };
  const found: Found[] = [...given];
  const steps = subtasks.map((subtask): Step => {
    const { description } = subtask;
    const candidates = kept.filter(({ category }) => category === subtask.category);
    const choice = candidates.length === 0 ? {} : choose(description, candidates, found, request);
    const tool = kept.find(({ name }) => choice["use_existing"] === true && name === choice["tool_name"]);
    const done = (way: Step["way"], name: string, code: string, args: Values): Step => {
      try {
        const result = asText(run(code, args));
        found.push({ title: description, result });
        return { subtask, way, tool: name, arguments: args, result };
      } catch (thrown) {
        return { subtask, way, tool: name, arguments: args, error: String(thrown) };
      }
    };
    if (tool !== undefined) return done("use_existing", tool.name, tool.code ?? "", choice["arguments"] as Values);
    const { text, call } = write(description, found);
    if (call === null) return { subtask, way: "generate", error: text };
    const written = call as unknown as Required<Kept> & { arguments: Values };
    const step = done("generate", written.name, written.code, written.arguments);
    if (step.error === undefined) kept.push({ ...written });
    return step;
  });
  const results = steps.map(({ subtask: { id, description }, result, error }) =>
    error === undefined ? { id, description, result } : { id, description, error },
  );
  return { answer: worded(request, results), steps };
}
