// Examines the arguments of a call: which characters come from untrusted text, and whether any value is the person's.

import type { ArgumentOrigin } from "../wire/question.ts";
import { findUntrustedSpans, isTrusted, parseValue, type ParsedValue, type ValueSpan } from "./find-untrusted.ts";
import { TextIndex } from "./text-index.ts";

/**
 * Text from outside. `ref` identifies the event that shows it: the id of a tool call or a task. With `onlyPhrases`, single
 * words and short numbers do not count: descriptions of tools, and texts that code is compared with, share many by chance.
 */
export type UntrustedText = {
  readonly source: string;
  readonly text: string;
  readonly ref?: string;
  readonly onlyPhrases?: true;
};

/** The texts that a run has read. */
export type ReadTexts = {
  /** Texts of the person. */
  readonly person: readonly string[];
  /** Texts of the deployment, such as instructions. They are no wish of the person, but nobody else wrote them. */
  readonly deployment: readonly string[];
  readonly untrusted: readonly UntrustedText[];
};

/** The result of an examination. */
export type ArgumentVerdict = {
  readonly origins: readonly ArgumentOrigin[];
  /** True if the person wrote at least one of the values. */
  readonly hasPersonValue: boolean;
};

/** The maximum number of origins. The call waits for leave in any case. */
const MAX_ORIGINS = 200;

/** A text or number in the arguments. */
type Leaf = {
  readonly path: string;
  readonly is_key?: true;
  readonly value: ParsedValue;
  readonly number?: number;
};

/** Compares calls with texts. It owns the index of each text, which is built with the first call that needs it. */
export class ArgumentExaminer {
  readonly #untrusted = new Map<string, TextIndex>();
  readonly #trusted = new Map<string, TextIndex>();

  /**
   * Examines arguments. Names in `knownKeys` are the tool's own and not examined. The result is the same for the same
   * texts, whatever was examined before.
   */
  examine(
    args: unknown,
    { person, deployment, untrusted }: ReadTexts,
    knownKeys: ReadonlySet<string>,
  ): ArgumentVerdict {
    const personIndex = getIndex(this.#trusted, person);
    const trusted = getIndex(this.#trusted, [...person, ...deployment]);
    const leaves = listLeaves(args, "", knownKeys);
    const foreign = leaves.filter((leaf) => !containsLeaf(trusted, leaf));
    const origins = foreign.flatMap((leaf) =>
      this.#listSources(leaf, untrusted, trusted).flatMap(({ source, text, ref, onlyPhrases = false }) =>
        findLeafSpans(leaf, getIndex(this.#untrusted, [text]), trusted, onlyPhrases).map((span): ArgumentOrigin => ({
          path: leaf.path,
          ...(leaf.is_key === undefined ? {} : { is_key: leaf.is_key }),
          ...span,
          source,
          ...(ref === undefined ? {} : { ref }),
        })),
      ),
    );
    const hasPersonValue = leaves.some((leaf) => leaf.is_key === undefined && containsLeaf(personIndex, leaf));
    return { origins: removeCovered(origins).slice(0, MAX_ORIGINS), hasPersonValue };
  }

  /** Returns the texts to compare with: those of `onlyPhrases`, of which there may be many, only if one of them fits. */
  #listSources(leaf: Leaf, untrusted: readonly UntrustedText[], trusted: TextIndex): readonly UntrustedText[] {
    const many = untrusted.filter(({ onlyPhrases }) => onlyPhrases === true);
    if (many.length < 2) return untrusted;
    const together = getIndex(
      this.#untrusted,
      many.map(({ text }) => text),
    );
    if (findLeafSpans(leaf, together, trusted, true).length > 0) return untrusted;
    return untrusted.filter(({ onlyPhrases }) => onlyPhrases !== true);
  }
}

function getIndex(indexes: Map<string, TextIndex>, texts: readonly string[]): TextIndex {
  const key = texts.join("\u0000");
  let index = indexes.get(key);
  if (index === undefined) indexes.set(key, (index = new TextIndex(texts)));
  return index;
}

function containsLeaf(index: TextIndex, { value, number }: Leaf): boolean {
  return number === undefined ? isTrusted(value, index) : index.hasNumber(Math.abs(number));
}

/** Numbers 0 and 1 occur by chance. */
function findLeafSpans(leaf: Leaf, source: TextIndex, trusted: TextIndex, onlyPhrases: boolean): ValueSpan[] {
  const { value, number } = leaf;
  if (number === undefined) return findUntrustedSpans(value, source, trusted, { phrases: onlyPhrases });
  const amount = Math.abs(number);
  return amount > (onlyPhrases ? 99 : 1) && source.hasNumber(amount) ? [{ start: 0, end: value.text.length }] : [];
}

/** Returns the texts and numbers in a JSON value, and the member names that are not known. */
function listLeaves(value: unknown, path: string, knownKeys: ReadonlySet<string>): Leaf[] {
  if (typeof value === "string") return [{ path, value: parseValue(value) }];
  if (typeof value === "number") return [{ path, value: parseValue(String(value)), number: value }];
  if (Array.isArray(value)) return value.flatMap((each, i) => listLeaves(each, `${path}/${i}`, knownKeys));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const memberPath = `${path}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const keyLeaf: Leaf[] = knownKeys.has(key) ? [] : [{ path: memberPath, is_key: true, value: parseValue(key) }];
    return [...keyLeaf, ...listLeaves(member, memberPath, knownKeys)];
  });
}

/** Removes origins that another origin of the same value covers; the first source wins. */
function removeCovered(origins: readonly ArgumentOrigin[]): ArgumentOrigin[] {
  const kept: ArgumentOrigin[] = [];
  for (const origin of origins) {
    const isCovered = kept.some(
      ({ path, is_key, start, end }) =>
        path === origin.path && is_key === origin.is_key && start <= origin.start && end >= origin.end,
    );
    if (!isCovered) kept.push(origin);
  }
  return kept;
}
