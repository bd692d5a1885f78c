// Turns a request into `create_plan`: one task per piece of work, in order.

import { findAddressedAgents, parseCards, type PromptCard } from "../agents/cards.ts";
import { isAssignable, selectAgents } from "../agents/select-agents.ts";
import { createCallAnswer, type EmbeddedAnswer } from "../chat-completions.ts";
import { formatSentence, joinList } from "../messages.ts";
import { parseListAfter, type PromptContext } from "../prompt-context.ts";
import { parsePieces, type WorkPiece } from "../request/split-request.ts";
import { answerScheduleOrder } from "../request/schedule-order.ts";
import { parseTimedRequest, type TimedRequest } from "../request/timed-request.ts";
import { parseVerificationRequest } from "../request/verification-request.ts";
import { REMINDER_AGENT } from "../../protocol/schedules/schedule.ts";
import { detectLanguage, type Language } from "../../language/detect-language.ts";
import type { ScheduleTimes } from "../../language/schedules/find-schedule.ts";
import { formatMessage } from "../../language/messages.ts";
import { createTitle } from "../../language/text-spans.ts";
import type { ScheduleConfig } from "../../protocol/schedules/schedule-config.ts";

export function answerAsPlanner(talk: PromptContext): EmbeddedAnswer {
  const language = detectLanguage(talk.request, talk.language);
  const order = answerScheduleOrder(talk, language);
  if (order !== null) return order;
  const cards = parseCards(parseListAfter("Agents:", talk.system));
  // Another answer than yes: a change is a request of its own.
  if (talk.outcomes.some(({ call }) => call.name === "create_plan"))
    return createRefusal(formatSentence("notScheduled", language));
  const { rest, clause } = parseVerificationRequest(talk.request);
  const once = parseTimedRequest(talk);
  if (once !== null && (once.isReminder || "problem" in once.when)) return planReminder(once, talk, language);
  const canDo = (text: string) => isAssignable(text, cards);
  const pieces = once === null ? parsePieces(rest, canDo) : [toTimedPiece(once, parsePieces(once.text, canDo))];
  const [wrong] = pieces.flatMap(({ timing }) =>
    timing === null || timing.when.kind === "config" ? [] : [timing.when.problem],
  );
  if (wrong !== undefined) return createRefusal(formatMessage(language, wrong));
  const agents = pieces.map((piece) => selectAgents(piece.first, cards));
  const tasks = buildTasks(pieces, agents, cards, talk.timezone);
  const missing = pieces.filter((_, i) => !isReachable(i, pieces, agents)).map(({ text }) => createTitle(text));
  const guidance =
    missing.length === 0 ? null : formatSentence("unassigned", language, { parts: joinList(missing, language) });
  if (tasks.length === 0) return createRefusal(guidance ?? formatSentence("notUnderstood", language));
  return createCallAnswer("create_plan", {
    tasks,
    adequate: true,
    reason: formatSentence(tasks.length === 1 ? "planOne" : "planSeveral", language, { count: String(tasks.length) }),
    ...(guidance === null ? {} : { guidance_message: guidance }),
    ...(clause === "" ? {} : { verify: true }),
  });
}

/** A task without an agent: at its times the conversation gets the text as a message. */
function planReminder({ text, when }: TimedRequest, { timezone }: PromptContext, language: Language): EmbeddedAnswer {
  if ("problem" in when) return createRefusal(formatMessage(language, when.problem));
  const task = { id: "1", title: createTitle(text), query: text, agent_name: REMINDER_AGENT, depends_on: [] };
  const tasks = [{ ...task, pattern: "recurring", ...buildSchedule(when, timezone) }];
  const reason = formatSentence("planOne", language);
  return createCallAnswer("create_plan", { tasks, adequate: true, reason });
}

/** One task for everything that happens at a single time, for the agent of its first piece. */
function toTimedPiece({ text, when }: TimedRequest, [first]: readonly WorkPiece[]): WorkPiece {
  const timing = { when, rest: text, spans: [{ start: 0, end: 0 }] } as const;
  return { text, first: first?.first ?? text, after: [], isBound: false, timing };
}

type FoundAgents = readonly (readonly PromptCard[])[];

/** True if the piece, and everything whose result it needs, can be done. */
function isReachable(at: number, pieces: readonly WorkPiece[], agents: FoundAgents): boolean {
  const { after = [], isBound = true } = pieces[at] ?? {};
  return (agents[at] ?? []).length > 0 && (!isBound || after.every((needed) => isReachable(needed, pieces, agents)));
}

function buildTasks(
  pieces: readonly WorkPiece[],
  agents: FoundAgents,
  cards: readonly PromptCard[],
  timezone: string | undefined,
) {
  const isKept = pieces.map((_, i) => isReachable(i, pieces, agents));
  const ids = agents.map((found, i) =>
    isKept[i] === true ? found.map((_, n) => (n === 0 ? String(i + 1) : `${i + 1}-${n + 1}`)) : [],
  );
  return pieces.flatMap((piece, i) => {
    const named = findAddressedAgents(piece.text, cards);
    const query = named.kind === "known" ? named.rest : piece.text;
    const depends_on = piece.after.flatMap((needed) => ids[needed] ?? []);
    const when =
      piece.timing === null
        ? { pattern: "once" }
        : { pattern: "recurring", ...buildSchedule(piece.timing.when, timezone) };
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

function buildSchedule(when: ScheduleTimes, timezone: string | undefined): { schedule_config?: ScheduleConfig } {
  if (when.kind !== "config") return {};
  const zone = when.config.timezone ?? timezone;
  const isClocked = when.config.interval_minutes === undefined;
  return { schedule_config: isClocked && zone !== undefined ? { ...when.config, timezone: zone } : when.config };
}

/** An empty plan with the reason. */
const createRefusal = (reason: string): EmbeddedAnswer =>
  createCallAnswer("create_plan", { tasks: [], adequate: false, reason, guidance_message: reason });
