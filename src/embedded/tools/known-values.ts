// Reads the values of a subject: from the known facts, behind a label in the words, or by their form.
// "onboard Ann Lee, id E-7, ann@x.com, sales" · 工号 E-77，部门 销售部.

import type { KnownValues } from "../prompt-context.ts";
import { splitIdentifier } from "../work/words.ts";

/** One name for the words that parameters, facts and labels use for the same thing. */
const SAME: Readonly<Record<string, string>> = {
  emp: "employee",
  dept: "department",
  unit: "department",
  num: "number",
  no: "number",
  mail: "email",
  msg: "message",
  addr: "address",
  pc: "computer",
  uid: "id",
  pid: "id",
  姓名: "name",
  名字: "name",
  工号: "id",
  编号: "id",
  部门: "department",
  邮箱: "email",
  级别: "level",
};
/** Qualifiers that are often omitted: `employee_id` is the person's `id`, but `outbound_id` is another. */
const PERSON = /^(?:employee|person|user|staff|member|holder|customer|candidate|owner|new|full|guest)$/;

/** Returns the fact whose name matches best. */
export function findKnownValue(name: string, facts: KnownValues): unknown {
  const ranked = [...facts].map(([known, value]) => ({ value, score: scoreNames(splitName(name), splitName(known)) }));
  return ranked.reduce((a, b) => (b.score > a.score ? b : a), { value: undefined as unknown, score: 0 }).value;
}

function scoreNames(asked: readonly string[], known: readonly string[]): number {
  if (asked.join(" ") === known.join(" ")) return 2;
  const qualifiers = (parts: readonly string[]) =>
    parts
      .slice(0, -1)
      .filter((part) => !PERSON.test(part))
      .join(" ");
  return asked.at(-1) === known.at(-1) && qualifiers(asked) === qualifiers(known) ? 1 : 0;
}

function splitName(name: string): string[] {
  const parts = splitIdentifier(name).toLowerCase().split(/\s+/);
  return parts.map((part) => part.replace(/^(?:新?员工|人员|用户)(?=.)/, "")).map((part) => SAME[part] ?? part);
}

/** The words by which a text labels the values of a parameter. */
const LABELS: readonly (readonly [RegExp, string])[] = [
  [/\bname\b/, "姓名|名字|名称|named?|called"],
  [/\b(?:id|number|code)\b/, "身份证号|工号|编号|ID|号码|number|no\\.?"],
  [/\bdepartment\b/, "部门|department|dept\\.?"],
  [/\blevel\b|\bgrade\b/, "级别|职级|等级|level|grade"],
  [/\bsubject\b|\btitle\b/, "主题|标题|subject|title"],
  [/\bbody\b|\bcontent\b|\bmessage\b|\btext\b/, "正文|内容|body|saying|content|message"],
  [/\bemail\b/, "邮箱|电子邮箱|电子邮件|邮件地址|e-?mail(?: address)?"],
  [/\bphone\b|\bmobile\b/, "电话|手机号?|phone|mobile"],
];
const VALUE = String.raw`(?:“([^”]*)”|"([^"]*)"|「([^」]*)」|([^\s、,，。；;：:（）()"“”]+(?: (?!(?:of|in|for|and|from|at|with|by|on|to|as|is|name|named|id|department|level|email)\b)[A-Za-z][\w'.-]*){0,3}))`;

function buildLabelPattern(name: string): string {
  const words = splitName(name).join(" ");
  const own = words.replaceAll(/[^a-z\d ]/g, "").replaceAll(" ", "[ _-]?");
  return [
    ...(own === "" ? [] : [own]),
    ...LABELS.filter(([pattern]) => pattern.test(words)).map(([, label]) => label),
  ].join("|");
}

/** Returns the value behind the label of a parameter. */
export function findLabelledValue(text: string, name: string): string | undefined {
  const labels = buildLabelPattern(name);
  if (labels === "") return undefined;
  // A label in Latin letters is a separate word.
  const pattern = `(?<![a-z])(?:${labels})(?:(?<=[^a-z.])|(?![a-z]))\\s*(?:是|为|:|：|=|is\\b|of\\b)?\\s*${VALUE}`;
  const value = new RegExp(pattern, "i")
    .exec(text.slice(0, 4_000))
    ?.slice(1)
    .find((one) => one !== undefined && one !== "");
  // A trailing full stop ends the sentence: "seats: 6. Thanks" states 6.
  return value?.replace(/(?<=\d)\.(?:\s.*)?$|\.$/s, "");
}

export const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;

/** Returns the values of those names that the text states, labelled or not. */
export function parseStatedValues(text: string, names: readonly string[]): Record<string, string> {
  const read = text.slice(0, 4_000);
  const stated: Record<string, string> = {};
  for (const name of names) {
    const value = findLabelledValue(read, name) ?? (/e-?mail/i.test(name) ? EMAIL.exec(read)?.[0] : undefined);
    if (value !== undefined) stated[name] = value;
  }
  // A labelled part is not free, even if its value was not asked for.
  const labels = names.map(buildLabelPattern).filter((label) => label !== "");
  const labelled = new RegExp(`(?<![a-z])(?:${labels.join("|")})(?:(?<=[^a-z.])|(?![a-z]))|[:：=]`, "i");
  const parts = read
    .split(/\s*[,，、;；\n。]\s*|\.\s+/)
    .map((part) => part.trim())
    .filter((part) => part !== "");
  const free = parts.filter(
    (part) => !labelled.test(part) && !Object.values(stated).some((value) => part.includes(value)),
  );
  const person = names.find((name) => isPersonName(name) && stated[name] === undefined);
  const found =
    person === undefined ? undefined : [parts[0] ?? "", ...free].map(findPersonName).find((one) => one !== undefined);
  if (person !== undefined && found !== undefined) stated[person] = found;
  return {
    ...stated,
    ...assignByOrder(
      names,
      stated,
      free.filter((part) => found === undefined || !part.includes(found)),
    ),
  };
}

/** Assigns unlabelled parts to the remaining names if their numbers are equal. */
function assignByOrder(
  names: readonly string[],
  stated: Readonly<Record<string, string>>,
  free: readonly string[],
): Record<string, string> {
  const left = names.filter((name) => stated[name] === undefined && !/e-?mail/i.test(name));
  const plain = free.filter((part) => /^\S+(?: \S+){0,2}$/.test(part));
  const isClear =
    left.length > 0 && left.length === plain.length && (Object.keys(stated).length > 0 || left.length > 1);
  return isClear ? Object.fromEntries(left.map((name, i) => [name, plain[i] ?? ""])) : {};
}

export function isPersonName(name: string): boolean {
  return /^(?:(?:full|employee|person|user|new|customer|guest)_?)*name$/i.test(name);
}

/** `for Zoe Kim`, `新员工韩梅梅要入职`. */
function findPersonName(part: string): string | undefined {
  const chinese = /(?:员工|同事|同学|叫做?|名叫)\s*[:：]?\s*([\u4e00-\u9fff·]{2,4}?)(?=$|要|将|的|入职|报到|加入)/.exec(
    part,
  )?.[1];
  const opened = part.replace(
    /^(?:please |pls )?(?:onboard|hire|welcome|register|add|invite|enrol|start|run|create)\s+/i,
    "",
  );
  return chinese ?? /(?<![\p{L}\d])\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,3}$/u.exec(opened)?.[0];
}
