// An agent in a Worker of its own. It needs no model: it reads the query for time zones and tells the time there.

import { serveAgent } from "../../src/agents/kit/serve.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

/** The zones that a query names, as `Asia/Tokyo` or by their city alone. */
function zonesIn(query: string): string[] {
  const words = ` ${plain(query)} `;
  const isNamed = (name: string) => words.includes(` ${plain(name)} `);
  return ZONES.filter((zone) => isNamed(zone) || isNamed(zone.slice(zone.lastIndexOf("/") + 1)));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^a-z/+-]+/g, " ");
}

function timeIn(zone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium", timeZone: zone });
  return `${zone}: ${format.format(new Date())}`;
}

export default serveAgent({
  honours_scope: true,
  card: {
    name: "clock",
    display_name: "World clock",
    description: "Tells the time in the cities and time zones that a question names. 报告各城市和时区的当前时间。",
    version: "1.0.0",
    skills: [
      {
        id: "world-time",
        name: "World time 世界时间",
        description: "The current time in one or several cities.",
        tags: ["time", "clock", "world", "时间", "时钟"],
        examples: ["What time is it in Tokyo and Paris?", "Asia/Shanghai 现在几点？"],
      },
    ],
  },
  async *run({ query, metadata }) {
    const { language = "en", timezone = "UTC" } = metadata;
    const named = zonesIn(query);
    yield { type: "reasoning", text: `Zones named: ${named.length === 0 ? "none" : named.join(", ")}` };
    for (const zone of named.length === 0 ? [timezone] : named) {
      yield { type: "text", text: `${timeIn(zone, language)}\n` };
    }
  },
});
