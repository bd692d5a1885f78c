// The stages of one sub-task: search → (use_existing | generate) → safety_check → execute → register.
//
// `advanceSubtask` runs one stage and returns the next state, so that the caller can save a checkpoint between
// stages. A problem with a tool is returned to the model, which may try again, at most three times; then the sub-task
// fails, and only this one (X19). A saved tool that fails is not repaired: a new one is written.

import type { Said } from "../kit/agent.ts";
import { unreachable } from "../../protocol/assert.ts";
import type { Tool } from "../../protocol/tools.ts";
import { step, type Bench } from "./bench.ts";
import { checked, fromKept, fromWritten, hashOf, toolOf, writtenOf, type Verdict } from "./candidate.ts";
import { consult } from "../kit/consult.ts";
import { chooseTool, writeTool } from "./contract.ts";
import { execute } from "./execute.ts";
import { inLanguageOf, NOTHING_WRITTEN, noTool } from "./phrases.ts";
import { attemptsAsTurns, choosing, writing, type Situation } from "./prompts.ts";
import type { Subtask } from "./contract.ts";
import type { Attempt, Candidate, Done, Standing } from "./state.ts";

/** Maximum attempts to write a tool for one sub-task. */
const MOST_ATTEMPTS = 3;

/** The result of a stage. `asks` is code that a person must approve. */
export type Next =
  | { readonly kind: "on"; readonly standing: Standing }
  | { readonly kind: "asks"; readonly candidate: Candidate }
  | { readonly kind: "done"; readonly done: Done };

/** The state in which a sub-task starts. */
export const AT_FIRST: Standing = { at: { stage: "search" }, attempts: [] };

/** Runs the next stage of a sub-task and returns the transition. Errors of the model and the sandbox pass through. */
export async function* advance(bench: Bench, situation: Situation, standing: Standing): AsyncGenerator<Said, Next> {
  const { at } = standing;
  switch (at.stage) {
    case "search":
      return yield* choose(bench, situation);
    case "write":
      return yield* write(bench, situation, standing.attempts);
    case "try":
      return yield* tryOut(bench, situation, at.candidate, standing.attempts);
    default:
      return unreachable(at);
  }
}

/** Chooses a saved tool with valid arguments, or leads to writing one (F94). */
async function* choose(bench: Bench, situation: Situation): AsyncGenerator<Said, Next> {
  const { subtask } = situation;
  const tools = yield* search(bench, situation);
  if (tools.length === 0) return toWrite([]);
  const attempts: Attempt[] = [];
  while (attempts.length < MOST_ATTEMPTS) {
    const prompt = { role: "user", content: choosing(situation, tools) } as const;
    const reply = yield* consult(bench, chooseTool, [prompt, ...attemptsAsTurns(chooseTool.name, attempts)]);
    if (reply.kind === "text") break;
    if (reply.kind === "malformed") {
      attempts.push(reply);
      continue;
    }
    const { use_existing, tool_name, arguments: given, reason } = reply.value;
    if (!use_existing) break;
    const tool = tools.find(({ name }) => name === tool_name);
    const read = tool === undefined ? missing(tool_name, tools) : fromKept(tool, given ?? {});
    if (!read.ok) {
      attempts.push({ arguments: reply.arguments, problem: read.problem });
      continue;
    }
    const { candidate } = read;
    const told = { task_id: subtask.id, tool: candidate.name, arguments: candidate.arguments, reason };
    yield* step(
      "use_existing",
      told,
      () => Promise.resolve(tool),
      (used) => ({ version: used?.version }),
    );
    return { kind: "on", standing: { at: { stage: "try", candidate }, attempts: [] } };
  }
  return toWrite([]);
}

async function* search(bench: Bench, { subtask }: Situation): AsyncGenerator<Said, readonly Tool[]> {
  const { id: task_id, description, category } = subtask;
  return yield* step(
    "search",
    { task_id, description, category },
    () => bench.registry.search(description, category),
    (tools) => ({ candidates: tools.map(({ name }) => name) }),
  );
}

/** Lets the model write a tool: the next attempt (F96). */
async function* write(bench: Bench, situation: Situation, attempts: readonly Attempt[]): AsyncGenerator<Said, Next> {
  const { id, description } = situation.subtask;
  const last = attempts.at(-1);
  if (last !== undefined && attempts.length >= MOST_ATTEMPTS) {
    return failed(situation, inLanguageOf(bench.request, noTool(MOST_ATTEMPTS, last.problem)));
  }
  const prompt = { role: "user", content: writing(situation) } as const;
  const reply = yield* step(
    "generate",
    { task_id: id, description, attempt: attempts.length + 1 },
    async function* () {
      const said = yield* consult(bench, writeTool, [prompt, ...attemptsAsTurns(writeTool.name, attempts)]);
      if (said.kind !== "called") return said;
      const read = fromWritten(said.value, "written");
      return read.ok
        ? ({ kind: "read", candidate: read.candidate, arguments: said.arguments } as const)
        : ({ kind: "malformed", arguments: said.arguments, problem: read.problem } as const);
    },
    (said) =>
      said.kind === "read" ? writtenOf(said.candidate) : { error: said.kind === "text" ? said.text : said.problem },
  );
  switch (reply.kind) {
    case "text":
      return failed(situation, reply.text === "" ? inLanguageOf(bench.request, NOTHING_WRITTEN) : reply.text);
    case "malformed":
      return toWrite([...attempts, { arguments: reply.arguments, problem: reply.problem }]);
    case "read":
      return { kind: "on", standing: { at: { stage: "try", candidate: reply.candidate }, attempts: [...attempts] } };
    default:
      return unreachable(reply);
  }
}

/** Checks, runs and saves a candidate (F95, F97, F98). */
async function* tryOut(
  bench: Bench,
  situation: Situation,
  candidate: Candidate,
  attempts: readonly Attempt[],
): AsyncGenerator<Said, Next> {
  const { id: task_id } = situation.subtask;
  const named = { task_id, tool: candidate.name };
  const again = (problem: string): Next => {
    if (candidate.origin === "kept") return toWrite([]);
    return toWrite([...attempts, { arguments: JSON.stringify(writtenOf(candidate)), problem }]);
  };
  const verdict = yield* step(
    "safety_check",
    named,
    () => Promise.resolve(checked(candidate)),
    (found) => ({
      passed: found.ok,
      issues: found.ok ? [] : found.issues,
    }),
  );
  if (!verdict.ok) return again(`The safety check refused the code. ${inWords(verdict)}`);
  if (bench.needsApproval && candidate.origin === "written") return { kind: "asks", candidate };
  const run = `${bench.request.message_id}/${task_id}/${attempts.length}`;
  const executed = yield* step(
    "execute",
    { ...named, arguments: candidate.arguments },
    () => execute(bench, candidate, verdict.program, run),
    (end) => (end.ok ? { result: end.result, ms: end.ms } : { error: end.problem }),
  );
  if (!executed.ok) {
    if (candidate.origin === "kept") await bench.registry.noteFailure(candidate.name, executed.problem);
    return again(`Running it failed. ${executed.problem}`);
  }
  yield* step(
    "register",
    named,
    async () => bench.registry.keep({ ...toolOf(candidate), hash: await hashOf(candidate) }),
    (kept) => kept,
  );
  const { id, description } = situation.subtask;
  const done: Done = { id, description, status: "completed", result: executed.result, tool: candidate.name };
  return { kind: "done", done };
}

function toWrite(attempts: readonly Attempt[]): Next {
  return { kind: "on", standing: { at: { stage: "write" }, attempts: [...attempts] } };
}

function failed({ subtask }: Situation, error: string): Next {
  return { kind: "done", done: failedBecause(subtask, error) };
}

/** Creates the result of a failed sub-task. */
export function failedBecause({ id, description }: Subtask, error: string): Done {
  return { id, description, status: "failed", error };
}

function missing(name: string | null | undefined, tools: readonly Tool[]): { ok: false; problem: string } {
  const names = tools.map((tool) => tool.name).join(", ");
  return { ok: false, problem: `There is no tool ${name ?? "without a name"} in the list. There are: ${names}.` };
}

function inWords({ issues }: Extract<Verdict, { ok: false }>): string {
  return issues.map(({ message, line }) => `Line ${line}: ${message}`).join(" ");
}
