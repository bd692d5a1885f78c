// Turns a request into `create_plan`: one task per piece of work, in order.

import {
  findAddressedAgents,
  selectAgent,
  selectAgents,
  parseCards,
  repeatHandoverVerb,
  createWorkPredicate,
  type PromptCard,
} from "../agent-selection.ts";
import { parseConfirmation } from "../../language/schedules/schedule-confirmation.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import * as phrases from "../embedded-messages.ts";
import { parsePieces, type WorkPiece } from "../request-pieces.ts";
import { applyScheduleAnswer } from "../request-timing.ts";
import { parseListAfter, type PromptContext } from "../prompt-context.ts";
import { createTitle } from "../../language/text-spans.ts";
import { parseVerificationRequest } from "../verification-request.ts";
import type { EmbeddedAnswer, OfferedTool } from "../chat-completions.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";
import { createDailyConfig, parseTimeOfDay, type ScheduleTimes } from "../../language/schedules/find-schedule.ts";
import { formatMessage } from "../../language/messages.ts";

type RulePlanTask = {
  readonly id: string;
  readonly title: string;
  readonly query: string;
  readonly agent_name: string;
  readonly depends_on: readonly string[];
  readonly pattern: "once" | "recurring";
  readonly schedule_config?: ScheduleConfig;
};

export function answerAsPlanner(talk: PromptContext, tools: readonly OfferedTool[]): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const pieces = mergeRecurringPieces(
    parsePieces(repeatHandoverVerb(rest, cards), createWorkPredicate(cards)),
    cards,
    language,
  );
  const wrong = pieces.flatMap(({ timing }) =>
    timing?.when.kind === "problem" ? [formatMessage(language, timing.when.problem)] : [],
  );
  if (wrong[0] !== undefined) return createRefusal(wrong[0]);
  if (pieces.some(({ timing, text }) => timing !== null && ENDING.test(text)))
    return createRefusal(phrases.formatEndUnsupported(language));
  const untimed = pieces.flatMap(({ timing }) => (timing?.when.kind === "untimed" ? [timing.when] : []));
  const clock = untimed[0] === undefined ? null : parseAnsweredClock(talk, untimed[0].period);
  if (untimed[0] !== undefined && clock === null) return askForTime(talk, tools, language);
  const agents = pieces.map((piece) => selectAgents(piece.text, cards));
  const kept = pieces.map((_, i) => isReachable(i, pieces, agents));
  const missing = pieces.filter((_, i) => !kept[i]).map(({ text }) => createTitle(text));
  const ids = agents.map((found, i) => found.map((_, n) => (n === 0 ? String(i + 1) : `${i + 1}-${n + 1}`)));
  const tasks = pieces.flatMap((piece, i): RulePlanTask[] => {
    if (kept[i] !== true) return [];
    const base = buildTask(piece, cards, { clock, timezone: talk.timezone });
    const depends_on = piece.after.flatMap((needed) => ids[needed] ?? []);
    return (agents[i] ?? []).map(({ name }, n) => ({ ...base, id: ids[i]?.[n] ?? "", agent_name: name, depends_on }));
  });
  applyScheduleChanges(tasks, talk);
  if (tasks.length === 0)
    return createPlanCall({
      tasks,
      adequate: false,
      reason: phrases.formatNotUnderstood(language),
      guidance_message:
        missing.length === 0 ? phrases.formatNotUnderstood(language) : phrases.formatUnassignedParts(missing, language),
    });
  const guidance = missing.length === 0 ? {} : { guidance_message: phrases.formatUnassignedParts(missing, language) };
  const wish = clause === "" ? {} : { verify: true };
  return createPlanCall({
    tasks,
    adequate: true,
    reason: phrases.formatPlanReason(tasks.length, language),
    ...guidance,
    ...wish,
  });
}

/** Merges consecutive recurring pieces of the same agent into one task; recurring tasks cannot depend on each other. */
function mergeRecurringPieces(
  pieces: readonly WorkPiece[],
  cards: readonly PromptCard[],
  language: Language,
): WorkPiece[] {
  const kept: WorkPiece[] = [];
  const places: number[] = [];
  for (const given of pieces) {
    const piece = { ...given, after: given.after.map((needed) => places[needed] ?? needed) };
    const last = kept.at(-1);
    const isNext = piece.timing !== null && piece.after.length > 0;
    if (
      last !== undefined &&
      isNext &&
      hasSameSchedule(last, piece) &&
      selectAgent(last.text, cards) === selectAgent(piece.text, cards)
    )
      kept[kept.length - 1] = { ...last, text: `${last.text}${language === "zh" ? "，然后" : ", then "}${piece.text}` };
    else kept.push(isNext && !piece.isBound ? { ...piece, after: [] } : piece);
    places.push(kept.length - 1);
  }
  return kept;
}

function hasSameSchedule(a: WorkPiece, b: WorkPiece): boolean {
  return JSON.stringify(a.timing?.when) === JSON.stringify(b.timing?.when);
}

/** `every 5 minutes until 6pm`, but not the days until Christmas. */
const ENDING = /(?<!\b(?:days?|weeks?|months?|hours?|minutes?|long) )\b(?:until|till)\b|直到|为止/i;

/** True if the piece and everything it needs can be done. */
function isReachable(at: number, pieces: readonly WorkPiece[], agents: readonly (readonly PromptCard[])[]): boolean {
  const { after = [], isBound = true } = pieces[at] ?? {};
  if (!isBound) return (agents[at] ?? []).length > 0;
  return (agents[at] ?? []).length > 0 && after.every((needed) => isReachable(needed, pieces, agents));
}

type ScheduleDefaults = { readonly clock: string | null; readonly timezone: string | undefined };

function buildTask(
  piece: WorkPiece,
  cards: readonly PromptCard[],
  frame: ScheduleDefaults,
): Omit<RulePlanTask, "id" | "agent_name" | "depends_on"> {
  const named = findAddressedAgents(piece.text, cards);
  const query = named.kind === "known" ? named.rest : piece.text;
  const base = { title: createTitle(query), query };
  if (piece.timing === null) return { ...base, pattern: "once" };
  return { ...base, pattern: "recurring", ...buildSchedule(piece.timing.when, frame) };
}

function buildSchedule(
  when: ScheduleTimes,
  { clock, timezone }: ScheduleDefaults,
): Pick<RulePlanTask, "schedule_config"> {
  switch (when.kind) {
    case "config": {
      const zone = when.config.timezone ?? timezone;
      const isClocked = when.config.interval_minutes === undefined;
      return { schedule_config: isClocked && zone !== undefined ? { ...when.config, timezone: zone } : when.config };
    }
    case "untimed":
      return clock === null ? {} : { schedule_config: createDailyConfig(when.days, [clock], timezone) };
    case "problem":
      return {};
  }
}

/** Applies the person's changes at confirmation. With several schedules the target is unknown. */
function applyScheduleChanges(tasks: RulePlanTask[], { outcomes, timezone }: PromptContext): void {
  const [at, ...others] = tasks.keys().filter((i) => tasks[i]?.schedule_config !== undefined);
  const task = at === undefined || others.length > 0 ? undefined : tasks[at];
  if (at === undefined || task?.schedule_config === undefined) return;
  const answers = outcomes.filter(({ call }) => call.name === "create_plan").map(({ content }) => content);
  const schedule_config = answers.reduce(
    (config, answer) => applyScheduleAnswer(config, answer, timezone),
    task.schedule_config,
  );
  tasks[at] = { ...task, schedule_config };
}

const ASK = "ask_user";

function askForTime(talk: PromptContext, tools: readonly OfferedTool[], language: Language): EmbeddedAnswer {
  const question = phrases.formatTimeQuestion(language);
  const answer = findAnswer(talk);
  if (answer !== undefined && parseConfirmation(answer) === "no")
    return createRefusal(phrases.formatNotScheduled(language));
  // Ask again until the answer is a time; a question at the end of the thread could not be answered.
  if (tools.some(({ name }) => name === ASK)) {
    return { kind: "calls", calls: [{ name: ASK, arguments: { question } }] };
  }
  return createRefusal(question);
}

/** An empty plan with the reason. */
function createRefusal(reason: string): EmbeddedAnswer {
  return createPlanCall({ tasks: [], adequate: false, reason, guidance_message: reason });
}

function parseAnsweredClock(talk: PromptContext, period: string): string | null {
  const answer = findAnswer(talk);
  return answer === undefined ? null : parseTimeOfDay(answer, period);
}

function findAnswer({ outcomes }: PromptContext): string | undefined {
  return outcomes.findLast(({ call }) => call.name === ASK)?.content;
}

type RulePlanProposal = {
  readonly tasks: readonly RulePlanTask[];
  readonly adequate: boolean;
  readonly reason: string;
  readonly guidance_message?: string;
  readonly verify?: boolean;
};

function createPlanCall(proposal: RulePlanProposal): EmbeddedAnswer {
  return { kind: "calls", calls: [{ name: "create_plan", arguments: proposal }] };
}
