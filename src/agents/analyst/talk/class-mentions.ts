// Finds the classes that a message mentions among the classes of a teacher.

import type { KnownClass } from "../prompt-material.ts";

/** A class that a text mentions. `mention` is the text as written. */
export type MentionedClass = {
  readonly type: "class";
  readonly id: string;
  readonly name: string;
  readonly mention: string;
};

/**
 * Returns the context of a plan: the client's context, with `teacherId` unless it is empty or in that context already,
 * and with `entities`, the classes that the message names, if there are any.
 */
export function createPlanContext(
  request: {
    readonly message: string;
    readonly teacherId: string;
    readonly context?: Readonly<Record<string, unknown>> | null | undefined;
  },
  classes: readonly KnownClass[],
): Record<string, unknown> {
  const { message, teacherId, context } = request;
  const entities = findMentionedClasses(message, classes);
  return {
    ...(teacherId === "" ? {} : { teacherId }),
    ...context,
    ...(entities.length === 0 ? {} : { entities }),
  };
}

/** Matches the short forms of a class: `1A`, `Form 1A`, `F.1A`, `Class 1 A`, `1A班`, `中一A` … */
const MENTION_PATTERN =
  /(?<![a-z\d])(?:(?:form|class|grade|year|f)[\s.]*)?(\d{1,2})[\s-]?([a-z])(?![a-z\d])|(?:中|初|高)?([一二三四五六])[\s年级]*([a-z])(?![a-z\d])/gi;

/**
 * Returns the classes that the text mentions by id, name or short form, in any case, each once, in the order of their
 * first mention.
 */
export function findMentionedClasses(text: string, classes: readonly KnownClass[]): MentionedClass[] {
  const mentions = classes.flatMap((known) => {
    const { class_id: id, name } = known;
    const fullMatches = [id, name].map((words) => ({
      at: text.toLowerCase().indexOf(words.toLowerCase()),
      length: words.length,
    }));
    const shortForms = getShortForms(known);
    const shortMatches = findShortForms(text).filter(({ code }) => shortForms.has(code));
    const [first] = [...fullMatches, ...shortMatches].filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at);
    return first === undefined ? [] : [{ id, name, ...first }];
  });
  return mentions
    .toSorted((a, b) => a.at - b.at)
    .map(({ id, name, at, length }) => ({ type: "class", id, name, mention: text.slice(at, at + length).trim() }));
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
function getShortForms({ class_id: id, name }: KnownClass): ReadonlySet<string> {
  const idSuffix = id.slice(id.lastIndexOf("-") + 1);
  return new Set(findShortForms(`${name} ${idSuffix}`).map(({ code }) => code));
}
