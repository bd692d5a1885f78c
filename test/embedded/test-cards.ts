// Agents whose names do not occur in the requests of the tests, so that only their cards can match.

export type TestCard = {
  readonly name: string;
  readonly description: string;
  readonly skills: readonly {
    readonly id: string;
    readonly name: string;
    readonly description: string;
    readonly tags: readonly string[];
    readonly examples: readonly string[];
  }[];
};

function createCard(name: string, description: string, tags: string, ...examples: string[]): TestCard {
  const [id = ""] = tags.split(" ");
  return { name, description, skills: [{ id, name: id, description: "", tags: tags.split(" "), examples }] };
}

export const CARDS: readonly TestCard[] = [
  createCard("chronos", "Tells the date and the time in any time zone.", "time date", "What time is it in Paris?"),
  createCard("abacus", "Works out arithmetic exactly.", "math calculate", "What is 2 + 2?"),
  createCard("fortuna", "抽取随机数。", "随机 骰子", "给我一个随机数"),
  createCard("scribe", "Counts the words and characters of a text and changes its case.", "text uppercase reverse"),
  createCard("tempest", "Forecasts for any city.", "weather 天气"),
  createCard("keeper", "Keeps a guestbook that everyone can read and sign.", "guestbook sign"),
];
