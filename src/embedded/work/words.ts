// The words of a text, for the comparison of requests with agent cards and tools.

import { findPlaces } from "../../language/place-time-zones.ts";
import { maskSpans, normalizeCharacters } from "../../language/text-spans.ts";
import { findLiteralSpans } from "./literal-text.ts";

const STOP_WORDS = new Set(
  (
    "the and for with that this what who how when where why which are was were you your can could would will does did has have had please " +
    "tell give show get want need help about from into any all some one two use using used agent agents tool tools assistant answer question " +
    "request user person thing make let know like result just now then than there here its not but out more most other such only own same may " +
    "me my our their them they every 告诉 请问 帮我 一下 什么 怎么 这个 那个 一个 现在 可以 如何 需要 我们 你们 多少 关于 进行 提供 用户 请求 问题 回答 智能 能体 根据 以及 负责"
  ).split(" "),
);

/** Returns stemmed English words and pairs of Chinese characters, without quoted text and places. */
export function listWords(text: string): Set<string> {
  const plain = splitIdentifier(maskSpans(text, [...findLiteralSpans(text), ...findPlaces(text)])).toLowerCase();
  const words = (plain.match(/[a-z][a-z\d]{2,}/g) ?? []).filter((word) => !STOP_WORDS.has(word)).map(stemWord);
  const pairs = (plain.match(/[\u3400-\u9fff]{2,400}/g) ?? []).flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)),
  );
  return new Set([
    ...words,
    ...pairs.filter((pair) => !STOP_WORDS.has(pair) && !/[的了吗呢是我你他它在和与把给请为]/.test(pair)),
  ]);
}

function stemWord(word: string): string {
  return word.length <= 4 ? word.replace(/s$/, "") : word.replace(/(?:ations?|ings?|ers?|ed|es|e|s)$/, "");
}

/** Splits `current_time` and `currentTime` into words. */
export function splitIdentifier(text: string): string {
  return normalizeCharacters(text)
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll("_", " ");
}
