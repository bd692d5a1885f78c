// Reads questions about the present time and date: what time is it in Tokyo and Paris? · 北京和伦敦现在几点.

import { cityMapping } from "city-timezones";
import { findPlaces } from "../../language/place-time-zones.ts";
import { normalizeCharacters, removePolitePrefixes } from "../../language/text-spans.ts";

const ENGLISH =
  /^(?:(?:tell|give|show|get|check|look up|find out|query|report)(?: me)? )?(?:(?:what|which)(?:'?s| is)? )?(?:the )?(?:(?:current|exact|local|right|present|today's) )*(?:time and date|date and time|time|date|day|weekday|day of the week)(?: is it| it is| is today| today is| is)?(?: today| now| right now| currently| at the moment)*(?: (?:in|at|on|for) (?<places>.+?))??(?: right now| now| today| currently| at the moment| please)*$/i;
const CHINESE =
  /^(?:告诉我|查询|查一下|查|看一?[下看]|看|给我|显示|报|获取|现在|当前|目前|今天)*(?<places>.*?)(?:现在|当前|目前|今天|当地|的|是)*(?<asked>几点钟?|什么时间|什么时候|时间|时刻|(?:几月)?几号|星期几|周几|礼拜几|日期|(?<=^)报时)(?:了|是什么|是多少|是几点|吗|呢|啊|一下)*$/;

/** Words after “in” that are no place: in 20 minutes, in London when it is 3pm in Tokyo. */
const NO_PLACE =
  /\d|\b(?:an?|half|few|my|your|when|if|is|was|than|before|after|hours?|minutes?|days?|weeks?|months?|years?|morning|evening|afternoon|night)\b/i;
const NO_PLACE_ZH = /[点时分秒前后差是天月日年周期个多少什么怎几节]/;

/**
 * Returns the zones of the places whose time is asked for; empty for the person's own. An unknown place stays as it is
 * written, so that the tool refuses it. Null if the text asks for anything else.
 */
export function readClock(text: string): string[] | null {
  const words = normalizeCharacters(removePolitePrefixes(text)).replace(/[\s?？.。!！]+$/, "");
  const groups: Partial<Record<string, string>> | undefined = (ENGLISH.exec(words) ?? CHINESE.exec(words))?.groups;
  if (groups === undefined) return null;
  const { places = "", asked } = groups;
  if (/^(?:here|my (?:own )?(?:time ?zone|city))?$/i.test(places.trim())) return [];
  const names = places
    .split(/\s*(?:,|、|和|与|跟|\b(?:and|or)\b)\s*(?:in |on )?/)
    .map((name) => name.trim().replace(/(?<=.)时间$/, ""))
    .filter((name) => name !== "");
  const zones = names.map((name) => findZone(name) ?? (isPlaceName(name, asked) ? name : null));
  return zones.every((zone) => zone !== null) ? zones : null;
}

/** True if an unknown name may be a place. A day is not: 圣诞节是星期几. */
function isPlaceName(name: string, asked = ""): boolean {
  if (/[\u4e00-\u9fff]/.test(name)) return name.length <= 6 && !NO_PLACE_ZH.test(name) && /点|时间/.test(asked);
  return name.split(" ").length <= 4 && !NO_PLACE.test(name);
}

/** A city counts if its zone has three times the people of its namesakes: Paris, but not Springfield. */
const DOMINANCE = 3;

/** Returns the time zone of a place; null if the place is unknown or ambiguous. */
export function findZone(name: string): string | null {
  const plain = removeAccents(name).replace(/^the /, "");
  for (const spelling of [plain, name]) {
    const [known] = findPlaces(spelling);
    if (known !== undefined && known.end - known.start >= spelling.length) return known.zone;
  }
  const people = new Map<string, number>();
  for (const { city, city_ascii: ascii, pop, timezone } of cityMapping)
    if (removeAccents(city) === plain || ascii.toLowerCase() === plain)
      people.set(timezone, Math.max(people.get(timezone) ?? 0, pop));
  const [first, second] = [...people].toSorted(([, a], [, b]) => b - a);
  if (first !== undefined) return second === undefined || first[1] >= second[1] * DOMINANCE ? first[0] : null;
  const inCountry = cityMapping.filter(({ country }) => country.toLowerCase() === plain);
  const [zone, ...others] = new Set(inCountry.map(({ timezone }) => timezone));
  return zone === undefined || others.length > 0 ? null : zone;
}

const removeAccents = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
