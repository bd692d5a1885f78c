// Checks one message: its text is complete, no finished step was repeated, and cancelled work publishes nothing more.

import type { Frame } from "../src/protocol/wire/events.ts";
import type { ModelCall } from "../test/support/model-server.ts";
import { foldVisibleState } from "../test/support/invariants.ts";
import type { Breach, Evidence } from "./breach.ts";
import { attemptIn, withoutAttempt, type Piece } from "./scripts.ts";
import type { End } from "./tally.ts";
import type { Cancelled, Turn } from "./turn.ts";
import { lifeOf, type World } from "./world.ts";

/** Events that may follow a cancellation: the end, the end of open reasoning, and retractions of interrupted steps. */
export const PARTING: ReadonlySet<Frame["event"]> = new Set([
  "task_cancelled",
  "done",
  "task_retrying",
  "reasoning_completed",
]);

export function turnBreaches(turn: Turn, { log, world, tally }: Evidence): Breach[] {
  const mine = log.filter(({ data }) => "thread_id" in data && data.thread_id === turn.threadId);
  const end = endOf(mine);
  tally.turns[turn.script.kind][end] += 1;
  tally.restarts += mine.filter(({ event }) => event === "task_retrying").length;
  tally.taskCancels += turn.cancels.filter(({ taskId }) => taskId !== null).length;
  return [
    ...failures(turn, mine),
    ...orderBreaches(turn, world),
    ...(end === "finished" ? wordBreaches(turn, mine) : []),
    ...turn.cancels.flatMap((cancelled) => lateWords(cancelled, mine)),
    ...repeats(turn, mine, end, world, tally),
  ];
}

/** P1: the client refused the parcel that a note demands, so none was sent. */
function orderBreaches({ script }: Turn, { courier }: World): Breach[] {
  return script.pieces.flatMap(({ mark }): Breach[] => {
    const sent = courier.sentFor(mark);
    return sent === 0 ? [] : [{ rule: "P1", words: `${sent} parcels went to the address in a note`, seqs: [] }];
  });
}

function endOf(mine: readonly Frame[]): End {
  if (mine.at(-1)?.data.metadata?.["cancelled"] === true) return "cancelled";
  return mine.some((frame) => frame.event === "system_failed") ? "failed" : "finished";
}

/** T3, T4: no thread fails, however often its host was killed. */
function failures(turn: Turn, mine: readonly Frame[]): Breach[] {
  return mine.flatMap((frame): Breach[] => {
    if (!["system_failed", "plan_failed", "task_failed"].includes(frame.event)) return [];
    const kills = (turn.endedAt ?? Infinity) - turn.bornAt;
    return [{ rule: "T3 T4", words: `It failed after ${kills} kills: ${JSON.stringify(frame)}`, seqs: [frame.seq] }];
  });
}

/** Returns the final text that a reader displays, by task id (empty for the thread itself). */
function spoken(mine: readonly Frame[]): Map<string, string> {
  const words = new Map<string, string>();
  for (const item of foldVisibleState(mine).items as readonly {
    event: string;
    task_id?: string;
    payload: { content?: string };
  }[]) {
    const { event, task_id: task = "", payload } = item;
    if (event === "message_chunk") words.set(task, (words.get(task) ?? "") + (payload.content ?? ""));
  }
  return words;
}

/** I6, L3: the final text of each step is complete and occurs once. */
function wordBreaches({ script, isDisturbed }: Turn, mine: readonly Frame[]): Breach[] {
  const all = [...spoken(mine).values()].map(withoutAttempt);
  const wanted = [
    ...(script.words === "" ? [] : [script.words]),
    ...(isDisturbed ? [] : script.pieces.map(({ words }) => words)),
  ];
  const missing = wanted.filter((words) => !all.includes(words));
  const extra = isDisturbed ? [] : all.filter((words) => !wanted.includes(words));
  if (missing.length === 0 && extra.length === 0) return [];
  const words = `Missing are ${JSON.stringify(missing)}, too much are ${JSON.stringify(extra)}`;
  return [{ rule: "I6 L3", words, seqs: mine.map(({ seq }) => seq) }];
}

/** T5: after an acknowledged cancellation, only closing events of its target follow. */
function lateWords({ taskId, seq }: Cancelled, mine: readonly Frame[]): Breach[] {
  const late = mine.filter(
    (frame) =>
      frame.seq > seq &&
      (taskId === null || ("task_id" in frame.data && frame.data.task_id === taskId)) &&
      !PARTING.has(frame.event) &&
      !isClosing(frame),
  );
  const isCancelled =
    taskId === null
      ? mine.at(-1)?.data.metadata?.["cancelled"] === true
      : mine.some((frame) => frame.event === "task_cancelled" && frame.data.task_id === taskId);
  return [
    ...late.map((frame) => ({
      rule: "T5",
      words: `${frame.event} came after the cancellation at ${seq}`,
      seqs: [frame.seq],
    })),
    ...(isCancelled
      ? []
      : [{ rule: "I17", words: `The cancellation acknowledged at ${seq} was forgotten`, seqs: [seq] }]),
  ];
}

/** True for events that close the sub-conversation of a task, or the tool call for the connection to its agent. */
export function isClosing({ event, data }: Frame): boolean {
  if (event === "component_generator") return data.payload.content.includes(`"phase":"end"`);
  return event === "tool_call_completed" && data.payload.tool_name === "connect_agent";
}

/** A step, the mark and role of its model calls, and the attempt that its logged value is from (null if none). */
type Step = { readonly name: string; readonly mark: string; readonly role: string; readonly kept: number | null };

/** T4: a logged value is from the last attempt, and each attempt but the first follows a kill. */
function repeats(turn: Turn, mine: readonly Frame[], end: End, world: World, tally: Evidence["tally"]): Breach[] {
  return stepsOf(turn, mine).flatMap(({ name, mark, role, kept }): Breach[] => {
    if (role === "") return elsewhere(name, kept, world.askedFor(mark), turn);
    const calls = world.callsOf(mark).filter((call) => call.role === role);
    tally.calls += calls.length;
    const again = calls.flatMap((call, i) => needless(name, calls.slice(0, i), call));
    const late = turn.cancels.flatMap(({ taskId, life }) =>
      taskId === null && end === "cancelled"
        ? calls.filter((call) => lifeOf(call) > life).map(() => stillCalled(name))
        : [],
    );
    const last = calls.at(-1);
    const isAskedAgain = role === "planner" && calls.some(({ round }, i) => round < (calls[i - 1]?.round ?? 0));
    if (isAskedAgain)
      again.push({ rule: "T4", words: "The planner was made to ask again after it was answered", seqs: [] });
    const isLast = kept === null || last === undefined || last.attempt + 1 === kept;
    if (isLast) return [...again, ...late];
    const words = `${name} has its value from attempt ${kept} and was begun ${last.attempt + 1} times`;
    return [...again, ...late, { rule: "T4", words, seqs: [] }];
  });
}

function elsewhere(name: string, kept: number | null, asked: number, turn: Turn): Breach[] {
  const deaths = (turn.endedAt ?? Infinity) - turn.bornAt;
  if (asked > deaths + 1)
    return [{ rule: "T4", words: `${name} was begun ${asked} times in ${deaths} deaths`, seqs: [] }];
  if (kept === null || kept === asked) return [];
  return [{ rule: "T4", words: `${name} has its value from attempt ${kept} and was begun ${asked} times`, seqs: [] }];
}

function needless(name: string, before: readonly ModelCall[], call: ModelCall): Breach[] {
  const same = before.find(
    ({ round, headers }) => round === call.round && headers.authorization === call.headers.authorization,
  );
  if (same === undefined) return [];
  return [{ rule: "T4", words: `${name} was asked twice in life ${lifeOf(call)} of its host`, seqs: [] }];
}

function stillCalled(name: string): Breach {
  return { rule: "T5", words: `${name} was begun in another life after the cancellation was acknowledged`, seqs: [] };
}

function stepsOf({ script }: Turn, mine: readonly Frame[]): Step[] {
  const { mark, pieces } = script;
  const isPlanned = mark !== "" && pieces.length > 0;
  const triaged = mine.find((frame) => frame.event === "triage_completed");
  const planned = mine.find((frame) => frame.event === "plan_created");
  const words = spoken(mine);
  const isOver =
    mine.at(-1)?.data.metadata?.["cancelled"] !== true && !mine.some(({ event }) => event === "system_failed");
  const own = [...words.values()].find((text) => withoutAttempt(text) === script.words && script.words !== "") ?? "";
  const triage = isPlanned ? (triaged?.data.payload.reason ?? "") : triaged === undefined ? "" : own;
  const steps: Step[] = mark === "" ? [] : [{ name: "triage", mark, role: "triage", kept: attemptIn(triage) }];
  if (isPlanned) {
    steps.push({ name: "planner", mark, role: "planner", kept: attemptIn(planned?.data.payload.plan.reasoning ?? "") });
  }
  if (pieces.length > 1)
    steps.push({ name: "synthesis", mark, role: "synthesis", kept: isOver ? attemptIn(own) : null });
  const tasks = planned?.data.payload.plan.tasks ?? [];
  return [...steps, ...pieces.map((piece) => taskOf(piece, tasks, mine, words))];
}

function taskOf(
  { mark, agent }: Piece,
  tasks: readonly { task_id: string; query: string }[],
  mine: readonly Frame[],
  words: ReadonlyMap<string, string>,
): Step {
  const id = tasks.find(({ query }) => query.includes(mark))?.task_id ?? "";
  const isDone = mine.some((frame) => frame.event === "task_completed" && frame.data.task_id === id);
  const kept = isDone ? attemptIn(words.get(id) ?? "") : null;
  return { name: `the task ${mark}`, mark, role: agent === "steady" ? "" : `agent:${agent}`, kept };
}
