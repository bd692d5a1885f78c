// What all drawings share: their size, their colours, their texts.

import type { Block } from "../../protocol/page.ts";
import { numberText } from "../../protocol/scale.ts";
import { html, type Html } from "./html.ts";

export type Chart = Extract<Block, { type: "chart" }>;

export const WIDTH = 640;
export const HEIGHT = 320;
/** Colours of series in the style sheet; after the last they begin anew. */
const COLOURS = 8;
/** Shapes beyond this many say nothing of themselves. */
const MOST_TITLES = 400;

/** Which colour a shape has: its own if that is one, or that of its place. */
export function paint(index: number, own?: string): Html {
  if (own !== undefined && /^#([\da-f]{3}|[\da-f]{6})$/i.test(own)) return html`fill="${own}" stroke="${own}"`;
  return html`class="c${index % COLOURS}"`;
}

/** A coordinate. */
export function xy(value: number): string {
  return String(Math.round(value * 10) / 10);
}

export function valueText(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : numberText(value);
}

/** What a pointer at a shape shows. */
export function titleFor(chart: Chart, at: number, series: number): Html | null {
  const { data = [], name = "" } = chart.series[series] ?? {};
  if (data.length * chart.series.length > MOST_TITLES) return null;
  const label = [chart.xAxis[at] ?? "", chart.series.length > 1 ? name : ""].filter((part) => part !== "").join(" · ");
  return html`<title>${label}: ${valueText(data[at])}</title>`;
}

/** All values that there are. */
export function valuesIn({ series }: Chart): number[] {
  return series.flatMap(({ data }) => data.filter((value) => value !== null));
}
