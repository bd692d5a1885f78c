// An agent in its own Worker. It needs no model: it finds time zones in the query and returns their current time.

import { serveAgent } from "../../src/agents/kit/serve.ts";

const ZONES = Intl.supportedValuesOf("timeZone");

/** Finds time zones in a query, either by their full name (`Asia/Tokyo`) or by their city. */
function findZones(query: string): string[] {
  const words = ` ${normalize(query)} `;
  const isNamed = (name: string) => words.includes(` ${normalize(name)} `);
  return ZONES.filter((zone) => isNamed(zone) || isNamed(zone.slice(zone.lastIndexOf("/") + 1)));
}

function normalize(text: string): string {
  return text.toLowerCase().replace(/[^a-z/+-]+/g, " ");
}

function formatTime(zone: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium", timeZone: zone });
  return `${zone}: ${format.format(new Date())}`;
}

export default serveAgent({
  honours_scope: true,
  card: {
    name: "clock",
    display_name: "World clock",
    description: "Tells the current time in the cities and time zones of a question. 报告各城市和时区的当前时间。",
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
    const zones = findZones(query);
    yield { type: "reasoning", text: `Time zones in the query: ${zones.length === 0 ? "none" : zones.join(", ")}` };
    for (const zone of zones.length === 0 ? [timezone] : zones) {
      yield { type: "text", text: `${formatTime(zone, language)}\n` };
    }
  },
});
