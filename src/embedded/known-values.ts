// Matches known values to the parameters of a tool: `emp_id` and `employee_id` are the same, `id` alone is the
// person's, `outbound_id` is another.

import { tryParseJson } from "../lib/parse-json.ts";
import { splitIdentifier } from "./idea-glossary.ts";

export type KnownValues = ReadonlyMap<string, unknown>;

const SHORT: Readonly<Record<string, string>> = {
  emp: "employee",
  dept: "department",
  num: "number",
  no: "number",
  mail: "email",
  msg: "message",
  addr: "address",
  desc: "description",
  pc: "computer",
  unit: "department",
  pid: "id",
  uid: "id",
  姓名: "name",
  名字: "name",
  工号: "id",
  编号: "id",
  部门: "department",
  邮箱: "email",
  级别: "level",
};

/** Qualifiers that are often omitted. */
const PERSON = new Set([
  "employee",
  "person",
  "user",
  "staff",
  "member",
  "holder",
  "customer",
  "candidate",
  "owner",
  "new",
  "full",
]);

/** Reads the context in the prompt, including nested objects; outer values win. */
export function parseKnownValues(system: string): KnownValues {
  const line = /^Current context: (\{.*\})$/m.exec(system)?.[1];
  const facts = new Map<string, unknown>();
  const read = (value: unknown, depth: number): void => {
    if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 3) return;
    const entries = Object.entries(value);
    for (const [name, inner] of entries) if (typeof inner !== "object" && !facts.has(name)) facts.set(name, inner);
    for (const [, inner] of entries) read(inner, depth + 1);
  };
  read(tryParseJson(line ?? ""), 0);
  return facts;
}

/** Returns the value whose name matches the parameter best. */
export function findKnownValue(name: string, facts: KnownValues): unknown {
  const asked = splitName(name);
  const ranked = [...facts].map(([known, value]) => ({ value, score: scoreNames(asked, splitName(known)) }));
  const best = ranked.reduce((a, b) => (b.score > a.score ? b : a), { value: undefined as unknown, score: 0 });
  return best.value;
}

function scoreNames(asked: readonly string[], known: readonly string[]): number {
  if (asked.join(" ") === known.join(" ")) return 3;
  const [head] = asked.slice(-1);
  if (head !== known.at(-1)) return 0;
  const others = (parts: readonly string[]) => parts.slice(0, -1).filter((part) => !PERSON.has(part));
  return others(asked).join(" ") === others(known).join(" ") ? 2 : 0;
}

function splitName(name: string): string[] {
  return splitIdentifier(name)
    .toLowerCase()
    .split(/\s+/)
    .map((part) => part.replace(/^(?:新?员工|人员|用户)(?=.)/, ""))
    .map((part) => SHORT[part] ?? part);
}

/** The words by which a text labels the values of a parameter. */
const LABELS: readonly (readonly [RegExp, string])[] = [
  [/\bname\b/, "姓名|名字|名称|named?|called"],
  [/\b(?:id|number|code)\b/, "身份证号|工号|编号|ID|号码|number|no\\.?"],
  [/\bdepartment\b/, "部门|department|dept\\.?"],
  [/\blevel\b|\bgrade\b/, "级别|职级|等级|level|grade"],
  [/\bsubject\b|\btitle\b/, "主题|标题|subject|title"],
  [/\bbody\b|\bcontent\b|\bmessage\b|\btext\b/, "正文|内容|body|saying|content|message"],
  [/\bmodel\b/, "型号|model"],
  [/\bemail\b/, "邮箱|电子邮箱|电子邮件|邮件地址|e-?mail(?: address)?"],
  [/\bphone\b|\bmobile\b/, "电话|手机号?|phone|mobile"],
  [/\bdate\b/, "日期|date"],
  [/\bamount\b|\bprice\b/, "金额|价格|amount|price"],
];

const VALUE = String.raw`(?:“([^”]*)”|"([^"]*)"|「([^」]*)」|([^\s、,，。；;：:（）()"“”]+(?: (?!(?:of|in|for|and|from|at|with|by|on|to|as|is|name|named|id|department|level|email)\b)[A-Za-z][\w'.-]*){0,3}))`;

/** Returns the labels of a parameter as alternatives of a pattern. */
export function buildLabelPattern(name: string): string {
  const words = splitName(name).join(" ");
  const known = LABELS.filter(([pattern]) => pattern.test(words)).map(([, label]) => label);
  const own = words.replaceAll(/[^a-z\d ]/g, "").replaceAll(" ", "[ _-]?");
  return [...(own === "" ? [] : [own]), ...known].join("|");
}

/** Returns the value behind the label of a parameter. */
export function findLabelledValue(text: string, name: string): string | undefined {
  const labels = buildLabelPattern(name);
  if (labels === "") return undefined;
  // A label in Latin letters is a separate word.
  const found = new RegExp(
    `(?<![a-z])(?:${labels})(?:(?<=[^a-z.])|(?![a-z]))\\s*(?:是|为|:|：|=|is\\b|of\\b)?\\s*${VALUE}`,
    "i",
  ).exec(text.slice(0, 4_000));
  const value = found?.slice(1).find((one) => one !== undefined && one !== "");
  // A trailing full stop ends the sentence: "seats: 6. Thanks" states 6.
  return value?.replace(/(?<=\d)\.(?:\s.*)?$|\.$/s, "");
}
