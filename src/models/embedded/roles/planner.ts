// Turns a request into `create_plan`: one task per piece of work, in order.

import { addressed, agentFor, agentsFor, cardsFrom, eachAddressed, knowsWork, type Card } from "../agents.ts";
import { readConfirmation } from "../../../protocol/words/confirmation.ts";
import { languageOf, type Language } from "../../../protocol/words/language.ts";
import * as phrases from "../phrases.ts";
import { readPieces, type Piece } from "../request.ts";
import { amended } from "../schedule.ts";
import { listAfter, type Talk } from "../talk.ts";
import { titleOf } from "../../../protocol/words/text.ts";
import { readWish } from "../verification.ts";
import type { Answer, Tool } from "../wire.ts";
import type { ScheduleConfig } from "../../../protocol/schedule.ts";
import { dailyAt, readClock, type When } from "../../../protocol/words/timing.ts";

type Task = {
  readonly id: string;
  readonly title: string;
  readonly query: string;
  readonly agent_name: string;
  readonly depends_on: readonly string[];
  readonly pattern: "once" | "recurring";
  readonly schedule_config?: ScheduleConfig;
};

export function planner(talk: Talk, tools: readonly Tool[]): Answer {
  const language = languageOf(talk.request, talk.language);
  const cards = cardsFrom(listAfter("Agents:", talk.system));
  const { rest, clause } = readWish(talk.request);
  const pieces = inOne(readPieces(eachAddressed(rest, cards), knowsWork(cards)), cards, language);
  const wrong = pieces.flatMap(({ timing }) =>
    timing?.when.kind === "problem" ? [timing.when.problem[language]] : [],
  );
  if (wrong[0] !== undefined) return refusal(wrong[0]);
  if (pieces.some(({ timing, text }) => timing !== null && ENDING.test(text))) return refusal(phrases.noEnd(language));
  const untimed = pieces.flatMap(({ timing }) => (timing?.when.kind === "untimed" ? [timing.when] : []));
  const clock = untimed[0] === undefined ? null : answeredClock(talk, untimed[0].period);
  if (untimed[0] !== undefined && clock === null) return askForTime(talk, tools, language);
  const agents = pieces.map((piece) => agentsFor(piece.text, cards));
  const kept = pieces.map((_, i) => reachable(i, pieces, agents));
  const missing = pieces.filter((_, i) => !kept[i]).map(({ text }) => titleOf(text));
  const ids = agents.map((found, i) => found.map((_, n) => (n === 0 ? String(i + 1) : `${i + 1}-${n + 1}`)));
  const tasks = pieces.flatMap((piece, i): Task[] => {
    if (kept[i] !== true) return [];
    const base = taskOf(piece, cards, { clock, timezone: talk.timezone });
    const depends_on = piece.after.flatMap((needed) => ids[needed] ?? []);
    return (agents[i] ?? []).map(({ name }, n) => ({ ...base, id: ids[i]?.[n] ?? "", agent_name: name, depends_on }));
  });
  amend(tasks, talk);
  if (tasks.length === 0)
    return plan({
      tasks,
      adequate: false,
      reason: phrases.beyond(language),
      guidance_message: missing.length === 0 ? phrases.beyond(language) : phrases.whatIsMissing(missing, language),
    });
  const guidance = missing.length === 0 ? {} : { guidance_message: phrases.whatIsMissing(missing, language) };
  const wish = clause === "" ? {} : { verify: true };
  return plan({ tasks, adequate: true, reason: phrases.planReason(tasks.length, language), ...guidance, ...wish });
}

/** Merges consecutive recurring pieces of the same agent into one task; recurring tasks cannot depend on each other. */
function inOne(pieces: readonly Piece[], cards: readonly Card[], language: Language): Piece[] {
  const kept: Piece[] = [];
  const places: number[] = [];
  for (const given of pieces) {
    const piece = { ...given, after: given.after.map((needed) => places[needed] ?? needed) };
    const last = kept.at(-1);
    const isNext = piece.timing !== null && piece.after.length > 0;
    if (
      last !== undefined &&
      isNext &&
      isAtOnce(last, piece) &&
      agentFor(last.text, cards) === agentFor(piece.text, cards)
    )
      kept[kept.length - 1] = { ...last, text: `${last.text}${language === "zh" ? "，然后" : ", then "}${piece.text}` };
    else kept.push(isNext && !piece.isBound ? { ...piece, after: [] } : piece);
    places.push(kept.length - 1);
  }
  return kept;
}

function isAtOnce(a: Piece, b: Piece): boolean {
  return JSON.stringify(a.timing?.when) === JSON.stringify(b.timing?.when);
}

/** `every 5 minutes until 6pm`, but not the days until Christmas. */
const ENDING = /(?<!\b(?:days?|weeks?|months?|hours?|minutes?|long) )\b(?:until|till)\b|直到|为止/i;

/** True if the piece and everything it needs can be done. */
function reachable(at: number, pieces: readonly Piece[], agents: readonly (readonly Card[])[]): boolean {
  const { after = [], isBound = true } = pieces[at] ?? {};
  if (!isBound) return (agents[at] ?? []).length > 0;
  return (agents[at] ?? []).length > 0 && after.every((needed) => reachable(needed, pieces, agents));
}

type Frame = { readonly clock: string | null; readonly timezone: string | undefined };

function taskOf(piece: Piece, cards: readonly Card[], frame: Frame): Omit<Task, "id" | "agent_name" | "depends_on"> {
  const named = addressed(piece.text, cards);
  const query = named.kind === "known" ? named.rest : piece.text;
  const base = { title: titleOf(query), query };
  if (piece.timing === null) return { ...base, pattern: "once" };
  return { ...base, pattern: "recurring", ...scheduleOf(piece.timing.when, frame) };
}

function scheduleOf(when: When, { clock, timezone }: Frame): Pick<Task, "schedule_config"> {
  switch (when.kind) {
    case "config": {
      const zone = when.config.timezone ?? timezone;
      const isClocked = when.config.interval_minutes === undefined;
      return { schedule_config: isClocked && zone !== undefined ? { ...when.config, timezone: zone } : when.config };
    }
    case "untimed":
      return clock === null ? {} : { schedule_config: dailyAt(when.days, [clock], timezone) };
    case "problem":
      return {};
  }
}

/** Applies the person's changes at confirmation. With several schedules the target is unknown. */
function amend(tasks: Task[], { outcomes, timezone }: Talk): void {
  const [at, ...others] = tasks.keys().filter((i) => tasks[i]?.schedule_config !== undefined);
  const task = at === undefined || others.length > 0 ? undefined : tasks[at];
  if (at === undefined || task?.schedule_config === undefined) return;
  const answers = outcomes.filter(({ call }) => call.name === "create_plan").map(({ content }) => content);
  const schedule_config = answers.reduce((config, answer) => amended(config, answer, timezone), task.schedule_config);
  tasks[at] = { ...task, schedule_config };
}

const ASK = "ask_user";

function askForTime(talk: Talk, tools: readonly Tool[], language: Language): Answer {
  const question = phrases.whichTime(language);
  const answer = answerIn(talk);
  if (answer !== undefined && readConfirmation(answer) === "no") return refusal(phrases.notScheduled(language));
  // Ask again until the answer is a time; a question at the end of the thread could not be answered.
  if (tools.some(({ name }) => name === ASK)) {
    return { kind: "calls", calls: [{ name: ASK, arguments: { question } }] };
  }
  return refusal(question);
}

/** An empty plan with the reason. */
function refusal(reason: string): Answer {
  return plan({ tasks: [], adequate: false, reason, guidance_message: reason });
}

function answeredClock(talk: Talk, period: string): string | null {
  const answer = answerIn(talk);
  return answer === undefined ? null : readClock(answer, period);
}

function answerIn({ outcomes }: Talk): string | undefined {
  return outcomes.findLast(({ call }) => call.name === ASK)?.content;
}

type Proposal = {
  readonly tasks: readonly Task[];
  readonly adequate: boolean;
  readonly reason: string;
  readonly guidance_message?: string;
  readonly verify?: boolean;
};

function plan(proposal: Proposal): Answer {
  return { kind: "calls", calls: [{ name: "create_plan", arguments: proposal }] };
}
