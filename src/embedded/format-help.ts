// The help texts, made from the tables of abilities and from the cards of the agents.

import type { Language } from "../language/detect-language.ts";
import { ABILITIES, type Ability } from "./abilities.ts";
import { getCardTitle, type PromptCard } from "./agents/cards.ts";
import { formatSentence } from "./messages.ts";

export function formatHelp(cards: readonly PromptCard[], language: Language): string {
  const agents = cards.map((card) => `- ${getCardTitle(card)}: ${card.description}`).join("\n");
  return formatSentence("help", language, { abilities: formatAbilities(ABILITIES, language), agents });
}

/** The help text of one role. */
export function formatRoleHelp(abilities: readonly Ability[], language: Language): string {
  return formatSentence("roleHelp", language, { abilities: formatAbilities(abilities, language) });
}

function formatAbilities(abilities: readonly Ability[], language: Language): string {
  const lines = abilities.map(({ description, examples }) => {
    const [example = ""] = examples.find(([request]) => /[\u4e00-\u9fff]/.test(request) === (language === "zh")) ?? [];
    return formatSentence("ability", language, { ability: description[language], example });
  });
  return lines.join("\n");
}
