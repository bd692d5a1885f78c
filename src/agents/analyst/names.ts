// Finds the classes that a message mentions among the classes of a teacher.

import * as z from "zod";

export type Named = { readonly id: string; readonly name: string };

/** A class that a text mentions. `mention` is the text as written. */
export type Entity = Named & { readonly type: "class"; readonly mention: string };

const text = z.string().min(1);
/** Accepts several member names, because the data may come from different sources. */
const classSchema = z.looseObject({}).transform((row, context): Named => {
  const id = text.safeParse(row["class_id"] ?? row["classId"] ?? row["id"]);
  const name = text.safeParse(row["name"] ?? row["class_name"] ?? row["className"]);
  if (id.success) return { id: id.data, name: name.data ?? id.data };
  context.addIssue("has no id");
  return z.NEVER;
});

/**
 * Parses the result of `get_teacher_classes`. Returns an empty list for an error result, and skips classes without an
 * id.
 */
export function classesIn(result: unknown): Named[] {
  const list: unknown = typeof result === "object" && result !== null && "classes" in result ? result.classes : result;
  return (Array.isArray(list) ? list : []).flatMap((row: unknown) => {
    const read = classSchema.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

/** Matches the short forms of a class: `1A`, `Form 1A`, `F.1A`, `Class 1 A`, `1A班`, `中一A` … */
const MENTION =
  /(?<![a-z\d])(?:(?:form|class|grade|year|f)[\s.]*)?(\d{1,2})[\s-]?([a-z])(?![a-z\d])|(?:中|初|高)?([一二三四五六])[\s年级]*([a-z])(?![a-z\d])/gi;

/**
 * Returns the classes that the text mentions, by id, name or short form, each once, in the order of their first
 * mention.
 */
export function classesNamed(words: string, classes: readonly Named[]): Entity[] {
  const found = classes.flatMap((known) => {
    const whole = [known.id, known.name].map((name) => ({
      at: words.toLowerCase().indexOf(name.toLowerCase()),
      length: name.length,
    }));
    const short = mentionsIn(words).filter(({ code }) => codesOf(known).has(code));
    const [first] = [...whole, ...short].filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
    return first === undefined ? [] : [{ known, ...first }];
  });
  return found
    .toSorted((a, b) => a.at - b.at)
    .map(({ known, at, length }) => ({ type: "class", ...known, mention: words.slice(at, at + length).trim() }));
}

/** Returns the short forms in a text with their positions. Chinese numerals become digits. */
function mentionsIn(words: string): { at: number; length: number; code: string }[] {
  return [...words.matchAll(MENTION)].map((match) => {
    const [{ length }, digit, letter = "", han = "", hanLetter = ""] = match;
    const code = digit === undefined ? `${"零一二三四五六".indexOf(han)}${hanLetter}` : `${digit}${letter}`;
    return { at: match.index, length, code: code.toLowerCase() };
  });
}

/** Returns the short forms of a class: `1a` for `Form 1A` and for `class-hk-f1a`. */
function codesOf({ id, name }: Named): ReadonlySet<string> {
  const last = id.slice(id.lastIndexOf("-") + 1);
  return new Set(mentionsIn(`${name} ${last}`).map(({ code }) => code));
}
