// Tools that take a text and nothing else.

import type { Both } from "../../../protocol/words/language.ts";
import { takes, TEXT, text, type Template } from "./template.ts";
import { subject } from "./words.ts";

export function over(
  name: string,
  description: string,
  returns: Template["returns"],
  code: string,
  asked: RegExp,
  options: {
    readonly means?: RegExp;
    readonly subject?: readonly RegExp[];
    readonly title?: Both;
    readonly not?: RegExp;
  } = {},
): Template {
  return text({
    name,
    description,
    parameters: takes({ text: TEXT }),
    returns,
    code,
    means: options.means ?? asked,
    ...(options.title === undefined ? {} : { title: options.title }),
    read(words) {
      if (!asked.test(words.said) || options.not?.test(words.said) === true) return null;
      const found = subject(words, ...(options.subject ?? []));
      return found === null ? null : { text: found };
    },
  });
}

/** The text after `… in`. */
export const inside = (what: string) =>
  new RegExp(`(?:${what}) (?:in|from|of|out of)(?: the (?:text|string|sentence))?:? (.+)$`, "is");
/** The text before 里的…, with or without the verb in front. */
export const insideChinese = (what: string) =>
  new RegExp(
    `^(?:从|在|把|将|给|对|取|提取|找出|统计)?\\s*(.+?)(?:里面?|当?中|之中)?的?(?:所有的?|全部的?|每个)?(?:提取|找出|抽取)?(?:出|所有)?(?:${what})`,
    "s",
  );
