// Finds the classes that a message mentions among the classes of a teacher.

import * as z from "zod";

/** Anything that the person can choose by its name. */
export type NamedItem = { readonly id: string; readonly name: string };

/** A class that a text mentions. `mention` is the text as written. */
export type MentionedClass = NamedItem & { readonly type: "class"; readonly mention: string };

const classListSchema = z.object({
  classes: z.array(
    z.object({ class_id: z.string(), name: z.string() }).transform(({ class_id: id, name }) => ({ id, name })),
  ),
});

/** Parses the result of `get_teacher_classes`. Returns an empty list for an error result. */
export function parseClasses(result: unknown): NamedItem[] {
  return classListSchema.safeParse(result).data?.classes ?? [];
}

/** Matches the short forms of a class: `1A`, `Form 1A`, `F.1A`, `Class 1 A`, `1A班`, `中一A` … */
const MENTION_PATTERN =
  /(?<![a-z\d])(?:(?:form|class|grade|year|f)[\s.]*)?(\d{1,2})[\s-]?([a-z])(?![a-z\d])|(?:中|初|高)?([一二三四五六])[\s年级]*([a-z])(?![a-z\d])/gi;

/**
 * Returns the classes that the text mentions by id, name or short form, in any case, each once, in the order of their
 * first mention.
 */
export function findMentionedClasses(text: string, classes: readonly NamedItem[]): MentionedClass[] {
  const mentions = classes.flatMap((classItem) => {
    const fullMatches = [classItem.id, classItem.name].map((name) => ({
      at: text.toLowerCase().indexOf(name.toLowerCase()),
      length: name.length,
    }));
    const shortMatches = findShortForms(text).filter(({ code }) => getShortForms(classItem).has(code));
    const [first] = [...fullMatches, ...shortMatches].filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
    return first === undefined ? [] : [{ known: classItem, ...first }];
  });
  return mentions
    .toSorted((a, b) => a.at - b.at)
    .map(({ known: classItem, at, length }) => ({
      type: "class",
      ...classItem,
      mention: text.slice(at, at + length).trim(),
    }));
}

/** Returns the short forms in a text with their positions. Chinese numerals become digits. */
function findShortForms(text: string): { at: number; length: number; code: string }[] {
  return [...text.matchAll(MENTION_PATTERN)].map((match) => {
    const [{ length }, digit, letter = "", han = "", hanLetter = ""] = match;
    const code = digit === undefined ? `${"零一二三四五六".indexOf(han)}${hanLetter}` : `${digit}${letter}`;
    return { at: match.index, length, code: code.toLowerCase() };
  });
}

/** Returns the short forms of a class: `1a` for `Form 1A` and for `class-hk-f1a`. */
function getShortForms({ id, name }: NamedItem): ReadonlySet<string> {
  const idSuffix = id.slice(id.lastIndexOf("-") + 1);
  return new Set(findShortForms(`${name} ${idSuffix}`).map(({ code }) => code));
}
