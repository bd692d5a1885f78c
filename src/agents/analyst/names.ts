// The things that a person's words may name: classes of a teacher, as the data has them.

import * as z from "zod";

export type Named = { readonly id: string; readonly name: string };

/** Something of the data that a text names, and how. */
export type Entity = Named & { readonly type: "class"; readonly mention: string };

const text = z.string().min(1);
/** Who wrote the data may have called the members otherwise. */
const classSchema = z.looseObject({}).transform((row, context): Named => {
  const id = text.safeParse(row["class_id"] ?? row["classId"] ?? row["id"]);
  const name = text.safeParse(row["name"] ?? row["class_name"] ?? row["className"]);
  if (id.success) return { id: id.data, name: name.data ?? id.data };
  context.addIssue("has no id");
  return z.NEVER;
});

/** The classes in what `get_teacher_classes` answers; none in an error. */
export function classesIn(result: unknown): Named[] {
  const list: unknown = typeof result === "object" && result !== null && "classes" in result ? result.classes : result;
  return (Array.isArray(list) ? list : []).flatMap((row: unknown) => {
    const read = classSchema.safeParse(row);
    return read.success ? [read.data] : [];
  });
}

/** `1A`, `Form 1A`, `F.1A`, `Class 1 A`, `1A班`, `中一A` … */
const MENTION =
  /(?<![a-z\d])(?:(?:form|class|grade|year|f)[\s.]*)?(\d{1,2})[\s-]?([a-z])(?![a-z\d])|(?:中|初|高)?([一二三四五六])[\s年级]*([a-z])(?![a-z\d])/gi;

/** Which of the classes a text names, each once, in the order in which they first come. */
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

function mentionsIn(words: string): { at: number; length: number; code: string }[] {
  return [...words.matchAll(MENTION)].map((match) => {
    const [{ length }, digit, letter = "", han = "", hanLetter = ""] = match;
    const code = digit === undefined ? `${"零一二三四五六".indexOf(han)}${hanLetter}` : `${digit}${letter}`;
    return { at: match.index, length, code: code.toLowerCase() };
  });
}

/** The short forms of a class: `1a` for `Form 1A` and for `class-hk-f1a`. */
function codesOf({ id, name }: Named): ReadonlySet<string> {
  const last = id.slice(id.lastIndexOf("-") + 1);
  return new Set(mentionsIn(`${name} ${last}`).map(({ code }) => code));
}
