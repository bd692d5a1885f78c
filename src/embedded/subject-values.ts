// Reads the values of a subject from a text, with and without labels: "onboard Ann Lee, id E-7, ann@x.com, sales".

import { findLabelledValue, buildLabelPattern } from "./known-values.ts";

const EMAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63})+/;
const MAX_READ = 4_000;

/** Returns the values of those names that the text states. */
export function parseStatedValues(text: string, names: readonly string[]): Record<string, string> {
  const read = text.slice(0, MAX_READ);
  const stated: Record<string, string> = {};
  for (const name of names) {
    const value = findLabelledValue(read, name) ?? (isEmailName(name) ? EMAIL.exec(read)?.[0] : undefined);
    if (value !== undefined) stated[name] = value;
  }
  // A labelled part is not free, even if its value was not asked for.
  const labels = names.map(buildLabelPattern).filter((label) => label !== "");
  const labelled = new RegExp(`(?<![a-z])(?:${labels.join("|")})(?:(?<=[^a-z.])|(?![a-z]))|[:：=]`, "i");
  const taken = Object.values(stated);
  const isFree = (part: string) => !labelled.test(part) && !taken.some((value) => part.includes(value));
  const [opening = "", ...parts] = read.split(/\s*[,，、;；\n。]\s*|\.\s+/).filter((part) => part.trim() !== "");
  const free = [opening, ...parts].map((part) => part.trim()).filter(isFree);
  const person = names.find((name) => isPersonName(name) && stated[name] === undefined);
  const named =
    person === undefined ? undefined : [opening, ...free].map(findPersonName).find((found) => found !== undefined);
  if (person !== undefined && named !== undefined) stated[person] = named;
  return { ...stated, ...assignByOrder(names, stated, free, named) };
}

/** Assigns unlabelled parts to the remaining names if their numbers are equal. */
function assignByOrder(
  names: readonly string[],
  stated: Readonly<Record<string, string>>,
  free: readonly string[],
  named: string | undefined,
): Record<string, string> {
  const left = names.filter((name) => stated[name] === undefined && !isEmailName(name));
  const plain = free.filter(
    (part) => /^\S+(?: \S+){0,2}$/.test(part) && !(named !== undefined && part.includes(named)),
  );
  const isSome = Object.keys(stated).length > 0 || left.length > 1;
  if (left.length === 0 || left.length !== plain.length || !isSome) return {};
  return Object.fromEntries(left.map((name, i) => [name, plain[i] ?? ""]));
}

function isEmailName(name: string): boolean {
  return /e-?mail/i.test(name);
}

export function isPersonName(name: string): boolean {
  return /^(?:(?:full|employee|person|user|new|customer|guest)_?)*name$/i.test(name);
}

const OPENERS = /^(?:please |pls )?(?:onboard|hire|welcome|register|add|invite|enrol|start|run|create)\s+/i;

/** Returns two or more words that are written like a name. */
export function findCapitalisedName(text: string): string | undefined {
  return /(?<![\p{L}\d])\p{Lu}\p{Ll}+(?: \p{Lu}[\p{L}'-]+){1,3}/u.exec(text.replace(/^\p{Lu}\p{Ll}+\s+/u, ""))?.[0];
}

/** `for Zoe Kim`, `新员工韩梅梅要入职`. */
function findPersonName(part: string): string | undefined {
  const han = /(?:员工|同事|同学|叫做?|名叫)\s*[:：]?\s*([\u4e00-\u9fff·]{2,4}?)(?=$|要|将|的|入职|报到|加入)/.exec(
    part,
  )?.[1];
  const latin = /(?<![\p{L}\d])\p{Lu}[\p{L}'-]+(?: \p{Lu}[\p{L}'-]+){0,3}$/u.exec(part.replace(OPENERS, ""))?.[0];
  return han ?? latin;
}
