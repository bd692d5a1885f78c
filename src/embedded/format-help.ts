// The help text, made from the table of abilities and from the cards of the agents.

import type { Language } from "../language/detect-language.ts";
import { ABILITIES } from "./abilities.ts";
import { getCardTitle, type PromptCard } from "./agents/cards.ts";
import { formatSentence } from "./messages.ts";

export function formatHelp(cards: readonly PromptCard[], language: Language): string {
  const abilities = ABILITIES.map(({ description, examples }) => {
    const example = examples.find(({ request }) => /[\u4e00-\u9fff]/.test(request) === (language === "zh"))?.request;
    const shown = example === undefined ? "" : language === "zh" ? `，例如“${example}”` : `, as in “${example}”`;
    return `- ${description[language]}${shown}`;
  });
  const agents = cards.map(
    (card) => `- ${getCardTitle(card)}${card.description === "" ? "" : `: ${card.description}`}`,
  );
  return formatSentence("help", language, { abilities: abilities.join("\n"), agents: agents.join("\n") || "–" });
}
