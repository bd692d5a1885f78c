// Finds a sentence that sets the time zone of the answer: Please use Tokyo time. · 请用北京时间回答。

import { findPlaces } from "../language/place-time-zones.ts";
import { maskSpans, normalizeCharacters, removePolitePrefixes } from "../language/text-spans.ts";
import { getFamily, findAskedIdeas } from "./idea-glossary.ts";

const ENGLISH =
  /^(?:(?:use|(?:answer|reply|say it|tell me|show (?:it|me)|give (?:it|that) to me|give (?:it|that)|i mean|i want it) in|in|with|according to|by|make (?:it|that)) )?(?:the )?▢+(?:'s)?(?: local)? time(?: ?zone)?(?:,? please)?$/i;
const CHINESE =
  /^(?:请|都|全部|我要的?是?|要)*(?:用|以|按照?|使用|采用|换成|转换?[为成]|改[为成])?▢+(?:的|当地|本地)*(?:时间|时区)(?:来|请)?(?:回答|作答|回复|告诉我|显示|表示|为准|计算|输出|就行|即可|吧)*$/;

/** True if the words only name a time zone. */
export function isTimeZoneRequest(text: string): boolean {
  const words = normalizeCharacters(removePolitePrefixes(text)).replace(/[\s.!。]+$/, "");
  const masked = maskSpans(words, findPlaces(words)).replaceAll("\u0001", "▢");
  return ENGLISH.test(masked) || CHINESE.test(masked);
}

/** True if the words ask for the time or the date without naming a place. */
export function asksForClock(text: string): boolean {
  return findPlaces(text).length === 0 && [...findAskedIdeas(text)].some((idea) => getFamily(idea) === "clock");
}

const ELSEWHERE =
  /\btime(?: is it| it is)?(?: now| right now)? (?:in|on|at) ((?!the (?:moment|morning|afternoon|evening|night|day|office|end)\b|(?:a|an|my|your|our|this|that|here|there|total|all|utc|gmt|hh|iso|24|12)\b|\w+day\b)[a-z][\w' -]{1,40}?)(?:\s+(?:right )?now| please| today)?[\s?.!]*$/i;

/** Returns an unknown place whose time is asked for: `what time is it on Mars`. */
export function findUnknownZone(text: string): string | null {
  return ELSEWHERE.exec(normalizeCharacters(removePolitePrefixes(text)))?.[1] ?? null;
}
