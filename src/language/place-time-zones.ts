// Names of places and their IANA time zones.

import { maskSpans, normalizeCharacters, type TextSpan } from "./text-spans.ts";

export type PlaceMatch = TextSpan & { readonly name: string; readonly zone: string };

/**
 * One zone per line: English names, then Chinese names. Other English names come from the runtime's list of zones.
 * Contains only countries whose name implies a single zone.
 */
const ZONE_TABLE = `
Asia/Shanghai|beijing,shanghai,shenzhen,guangzhou,china|北京,上海,深圳,广州,杭州,成都,重庆,武汉,南京,西安,天津,中国
Asia/Hong_Kong|hong kong|香港
Asia/Taipei|taipei,taiwan|台北,台湾
Asia/Tokyo|tokyo,osaka,kyoto,japan|东京,大阪,京都,日本
Asia/Seoul|seoul,korea|首尔,韩国
Asia/Singapore|singapore|新加坡
Asia/Bangkok|bangkok,thailand|曼谷,泰国
Asia/Ho_Chi_Minh|hanoi,vietnam|河内,越南
Asia/Jakarta|jakarta|雅加达
Asia/Kuala_Lumpur|kuala lumpur,malaysia|吉隆坡,马来西亚
Asia/Manila|manila|马尼拉
Asia/Kolkata|delhi,mumbai,bangalore,india|德里,孟买,印度
Asia/Dubai|dubai|迪拜
Europe/Istanbul|istanbul|伊斯坦布尔,土耳其
Europe/Moscow|moscow|莫斯科
Europe/London|london,england,britain|伦敦,英国
Europe/Lisbon|lisbon,portugal|里斯本,葡萄牙
Europe/Paris|paris,france|巴黎,法国
Europe/Berlin|berlin,munich,frankfurt,germany|柏林,慕尼黑,法兰克福,德国
Europe/Madrid|madrid,barcelona,spain|马德里,巴塞罗那,西班牙
Europe/Rome|rome,milan,italy|罗马,米兰,意大利
Europe/Amsterdam|amsterdam|阿姆斯特丹,荷兰
Europe/Zurich|zurich,geneva,switzerland|苏黎世,日内瓦,瑞士
Europe/Vienna|vienna|维也纳
Europe/Stockholm|stockholm|斯德哥尔摩,瑞典
Europe/Athens|athens|雅典,希腊
Africa/Cairo|cairo,egypt|开罗,埃及
Africa/Johannesburg|johannesburg,cape town|约翰内斯堡,开普敦,南非
America/New_York|new york,nyc,boston,washington,miami|纽约,波士顿,华盛顿
America/Chicago|chicago,houston,dallas|芝加哥,休斯顿
America/Denver|denver|丹佛
America/Los_Angeles|los angeles,san francisco,seattle,silicon valley,las vegas|洛杉矶,旧金山,西雅图,硅谷
America/Toronto|toronto,montreal|多伦多
America/Vancouver|vancouver|温哥华
America/Mexico_City|mexico city|墨西哥城
America/Sao_Paulo|sao paulo,rio de janeiro|圣保罗,里约
Australia/Sydney|sydney,melbourne|悉尼,墨尔本
Pacific/Auckland|auckland,new zealand|奥克兰,新西兰
UTC|utc,gmt|世界协调时`;

const ZONE_BY_NAME = new Map<string, string>();
for (const line of ZONE_TABLE.trim().split("\n")) {
  const [zone = "", english = "", chinese = ""] = line.split("|");
  for (const name of [...english.split(","), ...chinese.split(",")]) ZONE_BY_NAME.set(name, zone);
}
const namesByLength = [...ZONE_BY_NAME.keys()].sort((a, b) => b.length - a.length);
const NAME_PATTERN = new RegExp(
  `(?<![a-z])(?:${namesByLength.filter((name) => /[a-z]/.test(name)).join("|")})(?![a-z])|${namesByLength.filter((name) => !/[a-z]/.test(name)).join("|")}`,
  "gi",
);
const IANA_NAME =
  /(?<![\w/])(?:Africa|America|Antarctica|Asia|Atlantic|Australia|Europe|Indian|Pacific|Etc)\/[A-Za-z_+\-\d]+(?:\/[A-Za-z_]+)?/g;

/** Pattern of an offset, with groups for sign, hours and minutes: `UTC+8`, `GMT-3:30`. */
export const UTC_OFFSET = String.raw`(?:UTC|GMT) ?([+-])(\d{1,2})(?::?([0-5]\d))?(?![\w:])`;
const UTC_OFFSETS = new RegExp(String.raw`\b${UTC_OFFSET}`, "gi");

/** Converts a match of `UTC_OFFSET` to a zone such as `+08:00`. */
export function formatUtcOffset([, sign = "+", hours = "", minutes = "00"]: RegExpExecArray): string {
  return `${sign}${hours.padStart(2, "0")}:${minutes}`;
}

/** Finds the known places in a text, each once, in order. IANA names and offsets count as places. */
export function findPlaces(text: string): PlaceMatch[] {
  const places: PlaceMatch[] = [];
  for (const match of text.matchAll(IANA_NAME)) places.push(createPlaceMatch(match[0], match[0], match.index));
  for (const match of text.matchAll(UTC_OFFSETS))
    places.push(createPlaceMatch(match[0], formatUtcOffset(match), match.index));
  for (const { index, 0: name } of maskSpans(normalizeCharacters(text), places).matchAll(NAME_PATTERN)) {
    const zone = ZONE_BY_NAME.get(name.toLowerCase());
    if (zone !== undefined) places.push(createPlaceMatch(text.slice(index, index + name.length), zone, index));
  }
  places.push(...findZoneCities(text).filter(({ start }) => !places.some((p) => start >= p.start && start < p.end)));
  places.sort((a, b) => a.start - b.start);
  const firsts = new Map(places.toReversed().map((place) => [place.name.toLowerCase(), place]));
  return places.filter((place) => firsts.get(place.name.toLowerCase()) === place);
}

/** Finds cities after a preposition that only the runtime's list of zones contains: `in Ulaanbaatar`. */
function findZoneCities(text: string): PlaceMatch[] {
  const matches = [...text.matchAll(/\b(?:in|at|for) ([A-Z][a-z]+(?: [A-Z][a-z]+){0,2})/g)];
  if (matches.length === 0) return [];
  const zones = new Map(Intl.supportedValuesOf("timeZone").map((id) => [id.split("/").at(-1), id]));
  const found: PlaceMatch[] = [];
  for (const match of matches) {
    const name = match[1] ?? "";
    const zone = zones.get(name.replaceAll(" ", "_"));
    if (zone !== undefined) found.push(createPlaceMatch(name, zone, match.index + match[0].length - name.length));
  }
  return found;
}

function createPlaceMatch(name: string, zone: string, start: number): PlaceMatch {
  return { name, zone, start, end: start + name.length };
}
