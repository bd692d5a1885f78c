// Reads the values of a subject: from the known facts, behind a label in the words, or by their form.
// "onboard Ann Lee, id E-7, ann@x.com" · 工号 E-77，部门 销售部.

import type { KnownValues } from "../prompt-context.ts";
import { splitIdentifier } from "../work/words.ts";

/** One name for the words that parameters, facts and labels use for the same thing. */
const SAME: Readonly<Record<string, string>> = { emp: "employee", dept: "department", mail: "email", pc: "computer" };
/** Qualifiers that are often omitted: `employee_id` is the person's `id`, but `outbound_id` is another. */
const PERSON = /^(?:employee|person|user|staff|customer|new|full)$/;

/** Returns the fact whose name matches best. */
export function findKnownValue(name: string, facts: KnownValues): unknown {
  const exact = [...facts].find(([known]) => splitName(known).join() === splitName(name).join());
  return (exact ?? [...facts].find(([known]) => stripQualifiers(known) === stripQualifiers(name)))?.[1];
}

function splitName(name: string): string[] {
  return splitIdentifier(name)
    .toLowerCase()
    .split(/\s+/)
    .map((part) => SAME[part] ?? part);
}

function stripQualifiers(name: string): string {
  const parts = splitName(name);
  return parts.filter((part, i) => i === parts.length - 1 || !PERSON.test(part)).join(" ");
}

/** The words by which a text labels the values of a parameter. */
const LABELS: readonly (readonly [RegExp, string])[] = [
  [/\bname\b/, "姓名|名字|名称|named?|called"],
  [/\b(?:id|number|code)\b/, "身份证号|工号|编号|ID|号码|number|no\\.?"],
  [/\bdepartment\b/, "部门|department|dept\\.?"],
  [/\blevel\b/, "级别|职级|等级|level"],
  [/\bsubject\b|\btitle\b/, "主题|标题|subject|title"],
  [/\bbody\b|\bcontent\b|\bmessage\b|\btext\b/, "正文|内容|body|saying|content|message"],
  [/\bemail\b/, "邮箱|电子邮箱|电子邮件|邮件地址|e-?mail(?: address)?"],
];
const VALUE = String.raw`(?:“([^”]*)”|"([^"]*)"|「([^」]*)」|([^\s、,，。；;：:（）()"“”]+(?: (?!(?:of|in|for|and|from|at|with|by|on|to|as|is|name|named|id|department|level|email)\b)[A-Za-z][\w'.-]*){0,3}))`;

/** Returns the value behind the label of a parameter. */
export function findLabelledValue(text: string, name: string): string | undefined {
  const words = splitName(name).join(" ");
  const own = words.replaceAll(/[^a-z\d ]/g, "").replaceAll(" ", "[ _-]?");
  const known = LABELS.filter(([pattern]) => pattern.test(words)).map(([, label]) => label);
  const labels = [...(own === "" ? [] : [own]), ...known].join("|");
  if (labels === "") return undefined;
  // A label in Latin letters is a separate word.
  const pattern = `(?<![a-z])(?:${labels})(?:(?<=[^a-z.])|(?![a-z]))\\s*(?:是|为|:|：|=|is\\b|of\\b)?\\s*${VALUE}`;
  const groups = new RegExp(pattern, "i").exec(text.slice(0, 4_000))?.slice(1);
  const value = groups?.find((one) => one !== undefined && one !== "");
  // A trailing full stop ends the sentence: "seats: 6. Thanks" states 6.
  return value?.replace(/(?<=\d)\.(?:\s.*)?$|\.$/s, "");
}

export const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;

/** Returns the values of those names that the text states. */
export function parseStatedValues(text: string, names: readonly string[]): Record<string, string> {
  const found = names.map((name) => {
    const bare = /e-?mail/i.test(name) ? EMAIL.exec(text)?.[0] : isPersonName(name) ? findPersonName(text) : undefined;
    return [name, findLabelledValue(text, name) ?? bare] as const;
  });
  return Object.fromEntries(found.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])));
}

export function isPersonName(name: string): boolean {
  return /^(?:(?:full|employee|person|user|new|customer)_?)*name$/i.test(name);
}

const OPENING = /^(?:please )?(?:onboard|hire|welcome|register|add|invite|start|run|create)\s+/i;

/** `for Zoe Kim`, `Onboard Ann Lee`, `新员工韩梅梅要入职`. */
export function findPersonName(text: string): string | undefined {
  const chinese = /(?:员工|同事|同学)\s*[:：]?\s*([\u4e00-\u9fff·]{2,4}?)(?=$|[,，。]|要|将|的|入职|报到|加入)/.exec(
    text,
  )?.[1];
  return chinese ?? /(?<![\p{L}\d])\p{Lu}\p{Ll}+(?: \p{Lu}[\p{L}'-]+){1,3}/u.exec(text.replace(OPENING, ""))?.[0];
}
