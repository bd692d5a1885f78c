// Agents with names that say nothing in the tests' phrasings: they can be found by their cards alone.

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

function card(name: string, description: string, tags: string, ...examples: string[]): TestCard {
  const [id = ""] = tags.split(" ");
  return { name, description, skills: [{ id, name: id, description: "", tags: tags.split(" "), examples }] };
}

export const CARDS: readonly TestCard[] = [
  card("chronos", "Tells the date and the time in any time zone.", "time date", "What time is it in Paris?"),
  card("abacus", "Works out arithmetic exactly.", "math calculate", "What is 2 + 2?"),
  card("fortuna", "抽取随机数。", "随机 骰子", "给我一个随机数"),
  card("scribe", "Counts the words and characters of a text and changes its case.", "text uppercase reverse"),
  card("tempest", "Forecasts for any city.", "weather 天气"),
];
