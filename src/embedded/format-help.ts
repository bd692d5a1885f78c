// The help texts, made from the tables of abilities and from the cards of the agents.

import type { Language } from "../language/detect-language.ts";
import { ABILITIES, type Ability } from "./abilities.ts";
import { getCardTitle, type PromptCard } from "./agents/cards.ts";
import { formatSentence } from "./messages.ts";

export function formatHelp(cards: readonly PromptCard[], language: Language): string {
  const agents = cards.map(
    (card) => `- ${getCardTitle(card)}${card.description === "" ? "" : `: ${card.description}`}`,
  );
  const abilities = formatAbilities(ABILITIES, language);
  return formatSentence("help", language, { abilities, agents: agents.join("\n") || "–" });
}

/** The help text of one role. */
export function formatRoleHelp(abilities: readonly Ability<unknown>[], language: Language): string {
  return formatSentence("roleHelp", language, { abilities: formatAbilities(abilities, language) });
}

function formatAbilities(abilities: readonly Ability<unknown>[], language: Language): string {
  return abilities
    .map(({ description, examples }) => {
      const example = examples.find(({ request }) => /[\u4e00-\u9fff]/.test(request) === (language === "zh"))?.request;
      const shown = example === undefined ? "" : language === "zh" ? `，例如“${example}”` : `, as in “${example}”`;
      return `- ${description[language]}${shown}`;
    })
    .join("\n");
}
