// Runs the toolsmith's side of the embedded model as the agent does: split, choose or write a tool, run it, write the
// answer.

import { formatUntrusted } from "../../src/protocol/provenance/untrusted-block.ts";
import { answerRequest } from "../../src/embedded/embedded-fetch.ts";
import type { ChatTurn } from "../../src/embedded/chat-completions.ts";
import { checkProgram } from "../../src/sandbox/check-program.ts";
import type { SandboxOutcome } from "../../src/sandbox/sandbox.ts";
import { createIsolate } from "../sandbox/plain/run-in-vm.ts";

export type JsonValues = Record<string, unknown>;
export type SavedTool = {
  readonly name: string;
  readonly description: string;
  readonly category: string;
  readonly parameters: Record<string, unknown>;
  readonly code?: string;
};
export type PlannedSubtask = { readonly id: string; readonly description: string; readonly category: string };
type EarlierResult = { readonly title: string; readonly result: string };
export type ToolsmithStep = {
  readonly subtask: PlannedSubtask;
  readonly source: "use_existing" | "generate";
  readonly tool?: string;
  readonly args?: JsonValues;
  readonly result?: string;
  readonly error?: string;
};

export const NOW = Date.parse("2026-11-21T08:00:00Z");
const SYSTEM = `You are a toolsmith.

Now: 2026-11-21T08:00:00Z
Time zone of the person: Asia/Shanghai`;

/** Requests one answer of the model: plain text, or the arguments of its only call. */
export function askToolsmith(
  tool: string | null,
  content: string,
  attempts: readonly [args: JsonValues, problem: string][] = [],
  system = SYSTEM,
) {
  const turn = (role: ChatTurn["role"], text: string, overrides: Partial<ChatTurn> = {}): ChatTurn => ({
    role,
    text,
    toolCalls: [],
    toolCallId: "",
    ...overrides,
  });
  const turns = attempts.flatMap(([args, problem], i) => [
    turn("assistant", "", { toolCalls: [{ id: `call-${i}`, name: tool ?? "", arguments: JSON.stringify(args) }] }),
    turn("tool", problem, { toolCallId: `call-${i}` }),
  ]);
  const answer = answerRequest(
    {
      turns: [turn("system", system), turn("user", content), ...turns],
      tools: tool === null ? [] : [{ name: tool, description: "", parameters: {} }],
    },
    "agent:toolsmith",
  );
  if (answer.kind === "text") return { text: answer.text, call: null };
  return { text: null, call: (answer.calls[0]?.arguments ?? {}) as JsonValues };
}

const createFencedBlock = (label: string, data: unknown) => `${label}\n\`\`\`json\n${JSON.stringify(data)}\n\`\`\``;
const describeSubtask = (query: string, found: readonly EarlierResult[], subtask: PlannedSubtask) => [
  createFencedBlock("Request:", query),
  ...(found.length === 0 ? [] : [formatUntrusted("Results so far", found)]),
  createFencedBlock("Sub-task:", subtask),
];

export function planSubtasks(
  request: string,
  found: readonly EarlierResult[] = [],
): readonly PlannedSubtask[] | string {
  const { text, call } = askToolsmith(
    "plan_subtasks",
    [request, ...(found.length === 0 ? [] : [formatUntrusted("Results so far", found)])].join("\n\n"),
  );
  return text ?? (call as { tasks: PlannedSubtask[] }).tasks;
}

export function chooseTool(
  description: string,
  tools: readonly SavedTool[],
  found: readonly EarlierResult[] = [],
): JsonValues {
  const subtask = { id: "1", description, category: "math" };
  const offered = tools.map(({ code: _, ...tool }) => tool);
  const { call } = askToolsmith(
    "choose_tool",
    [
      "Does one of these tools do the sub-task?",
      ...describeSubtask(description, found, subtask),
      formatUntrusted("Tools that exist", offered),
    ].join("\n\n"),
  );
  return call ?? {};
}

export function writeTool(
  description: string,
  found: readonly EarlierResult[] = [],
  attempts: readonly [JsonValues, string][] = [],
) {
  const subtask = { id: "1", description, category: "math" };
  return askToolsmith(
    "write_tool",
    ["Write one tool for this sub-task.", ...describeSubtask(description, found, subtask)].join("\n\n"),
    attempts,
  );
}

export function writeAnswer(query: string, results: readonly JsonValues[], language = "zh"): string {
  const system = `${SYSTEM}\nLanguage of the person: ${language}`;
  return (
    askToolsmith(
      null,
      ["Word the answer.", createFencedBlock("Request:", query), formatUntrusted("Results", results)].join("\n\n"),
      [],
      system,
    ).text ?? ""
  );
}

const isolate = createIsolate();

/** Checks the code of a tool and runs it in the isolate of the sandbox. */
export function runToolCode(code: string, args: JsonValues): SandboxOutcome {
  const verdict = checkProgram(code, Object.keys(args), "tool");
  if (!verdict.ok) throw new Error(JSON.stringify(verdict.issues));
  return JSON.parse(isolate(verdict.program.module, JSON.stringify(args))) as SandboxOutcome;
}

/** Carries out a whole request. Tools are read from and added to `tools`. */
export function runRequest(request: string, tools: SavedTool[], earlier: readonly EarlierResult[] = []) {
  const subtasks = planSubtasks(request, earlier);
  if (typeof subtasks === "string") return { answer: subtasks, steps: [] as ToolsmithStep[] };
  const found: EarlierResult[] = [...earlier];
  const steps = subtasks.map((subtask): ToolsmithStep => {
    const { description } = subtask;
    const candidates = tools.filter(({ category }) => category === subtask.category);
    const choice = candidates.length === 0 ? {} : chooseTool(description, candidates, found);
    const tool = tools.find(({ name }) => choice["use_existing"] === true && name === choice["tool_name"]);
    const runStep = (way: ToolsmithStep["source"], name: string, code: string, args: JsonValues): ToolsmithStep => {
      const outcome = runToolCode(code, args);
      if (outcome.kind === "failed") return { subtask, source: way, tool: name, args, error: outcome.message };
      const result = typeof outcome.value === "string" ? outcome.value : JSON.stringify(outcome.value);
      found.push({ title: description, result });
      return { subtask, source: way, tool: name, args, result };
    };
    if (tool !== undefined)
      return runStep("use_existing", tool.name, tool.code ?? "", choice["arguments"] as JsonValues);
    const { text, call } = writeTool(description, found);
    if (call === null) return { subtask, source: "generate", error: text };
    const written = call as unknown as Required<SavedTool> & { arguments: JsonValues };
    const step = runStep("generate", written.name, written.code, written.arguments);
    if (step.error === undefined) tools.push({ ...written });
    return step;
  });
  const results = steps.map(({ subtask: { id, description }, result, error }) =>
    error === undefined ? { id, description, result } : { id, description, error },
  );
  return { answer: writeAnswer(request, results), steps };
}
