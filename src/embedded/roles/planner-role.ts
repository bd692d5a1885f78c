// Turns a request into `create_plan`: one task per piece of work, in order.

import { findAddressedAgents, parseCards, type PromptCard } from "../agents/cards.ts";
import { isAssignable, selectAgents } from "../agents/select-agents.ts";
import { createCallAnswer, type EmbeddedAnswer, type OfferedTool } from "../chat-completions.ts";
import { formatQuotedList, formatSentence } from "../messages.ts";
import { parseListAfter, type PromptContext } from "../prompt-context.ts";
import { parsePieces, type WorkPiece } from "../request/split-request.ts";
import { parseVerificationRequest } from "../request/verification-request.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import { createDailyConfig, parseTimeOfDay, type ScheduleTimes } from "../../language/schedules/find-schedule.ts";
import { formatMessage } from "../../language/messages.ts";
import { parseConfirmation } from "../../language/schedules/schedule-confirmation.ts";
import { createTitle } from "../../language/text-spans.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";

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
  // Another answer than yes: a change is a request of its own.
  if (talk.outcomes.some(({ call }) => call.name === "create_plan"))
    return createRefusal(formatSentence("notScheduled", language));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const read = parsePieces(rest, (text) => isAssignable(text, cards));
  const pieces = mergeRecurringPieces(read, language);
  const [wrong] = pieces.flatMap(({ timing }) => (timing?.when.kind === "problem" ? [timing.when.problem] : []));
  if (wrong !== undefined) return createRefusal(formatMessage(language, wrong));
  const [untimed] = pieces.flatMap(({ timing }) => (timing?.when.kind === "untimed" ? [timing.when] : []));
  const clock = untimed === undefined ? null : parseTimeOfDay(findAnswer(talk), untimed.period);
  if (untimed !== undefined && clock === null) return askForTime(talk, tools, language);
  const agents = pieces.map((piece) => selectAgents(piece.first, cards));
  const tasks = buildTasks(pieces, agents, cards, { clock, timezone: talk.timezone });
  const missing = pieces.filter((_, i) => !isReachable(i, pieces, agents)).map(({ text }) => createTitle(text));
  const guidance =
    missing.length === 0
      ? null
      : formatSentence("unassigned", language, { parts: formatQuotedList(missing, language) });
  if (tasks.length === 0) return createRefusal(guidance ?? formatSentence("notUnderstood", language));
  return createCallAnswer("create_plan", {
    tasks,
    adequate: true,
    reason: formatSentence(tasks.length === 1 ? "planOne" : "planSeveral", language, { count: String(tasks.length) }),
    ...(guidance === null ? {} : { guidance_message: guidance }),
    ...(clause === "" ? {} : { verify: true }),
  });
}

/** `first` is the part that decides about the agent. */
type PlannedPiece = WorkPiece & { readonly first: string };

/** Merges a recurring piece with the pieces that follow it in order; recurring tasks cannot depend on each other. */
function mergeRecurringPieces(pieces: readonly WorkPiece[], language: Language): PlannedPiece[] {
  const kept: PlannedPiece[] = [];
  for (const piece of pieces) {
    const last = kept.at(-1);
    if (last === undefined || piece.timing === null || piece.after.length === 0) {
      const after = piece.after.map((needed) => Math.min(needed, kept.length - 1));
      kept.push({ ...piece, after, first: piece.text });
      continue;
    }
    const text = formatSentence("thenPart", language, { first: last.text, second: piece.text });
    kept[kept.length - 1] = { ...last, text };
  }
  return kept;
}

type FoundAgents = readonly (readonly PromptCard[])[];

/** True if the piece, and everything whose result it needs, can be done. */
function isReachable(at: number, pieces: readonly WorkPiece[], agents: FoundAgents): boolean {
  const { after = [], isBound = true } = pieces[at] ?? {};
  return (agents[at] ?? []).length > 0 && (!isBound || after.every((needed) => isReachable(needed, pieces, agents)));
}

type ScheduleDefaults = { readonly clock: string | null; readonly timezone: string | undefined };

function buildTasks(
  pieces: readonly WorkPiece[],
  agents: FoundAgents,
  cards: readonly PromptCard[],
  defaults: ScheduleDefaults,
): RulePlanTask[] {
  const isKept = pieces.map((_, i) => isReachable(i, pieces, agents));
  const ids = agents.map((found, i) =>
    isKept[i] === true ? found.map((_, n) => (n === 0 ? String(i + 1) : `${i + 1}-${n + 1}`)) : [],
  );
  return pieces.flatMap((piece, i): RulePlanTask[] => {
    const named = findAddressedAgents(piece.text, cards);
    const query = named.kind === "known" ? named.rest : piece.text;
    const depends_on = piece.after.flatMap((needed) => ids[needed] ?? []);
    const when =
      piece.timing === null
        ? { pattern: "once" as const }
        : { pattern: "recurring" as const, ...buildSchedule(piece.timing.when, defaults) };
    return (ids[i] ?? []).map((id, n) => ({
      id,
      title: createTitle(query),
      query,
      agent_name: agents[i]?.[n]?.name ?? "",
      depends_on,
      ...when,
    }));
  });
}

function buildSchedule(
  when: ScheduleTimes,
  { clock, timezone }: ScheduleDefaults,
): { schedule_config?: ScheduleConfig } {
  if (when.kind === "untimed" && clock !== null)
    return { schedule_config: createDailyConfig(when.days, [clock], timezone) };
  if (when.kind !== "config") return {};
  const zone = when.config.timezone ?? timezone;
  const isClocked = when.config.interval_minutes === undefined;
  return { schedule_config: isClocked && zone !== undefined ? { ...when.config, timezone: zone } : when.config };
}

const ASK = "ask_user";

/** Asks until the answer is a time. */
function askForTime(talk: PromptContext, tools: readonly OfferedTool[], language: Language): EmbeddedAnswer {
  const question = formatSentence("timeQuestion", language);
  if (parseConfirmation(findAnswer(talk)) === "no") return createRefusal(formatSentence("notScheduled", language));
  return tools.some(({ name }) => name === ASK) ? createCallAnswer(ASK, { question }) : createRefusal(question);
}

function findAnswer({ outcomes }: PromptContext): string {
  return outcomes.findLast(({ call }) => call.name === ASK)?.content ?? "";
}

/** An empty plan with the reason. */
const createRefusal = (reason: string): EmbeddedAnswer =>
  createCallAnswer("create_plan", { tasks: [], adequate: false, reason, guidance_message: reason });
