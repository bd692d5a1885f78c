// Renders charts as SVG without scripts, fonts or colours from outside the style sheet.

import { assertNever } from "../../lib/assert.ts";
import { drawAxisChart } from "./axis-charts.ts";
import {
  CHART_HEIGHT,
  getColourAttributes,
  listValues,
  formatValue,
  CHART_WIDTH,
  type ChartBlock,
} from "./chart-drawing.ts";
import { html, type Html } from "../html-template.ts";
import { drawGauge, drawPie, drawRadar } from "./radial-charts.ts";

/**
 * Renders a chart with its legend and with its values as a table for accessibility; a dash if it has no values.
 * `labels` contains the title of the table.
 */
export function renderChart(block: ChartBlock, labels: { readonly numbers: string }): Html {
  if (listValues(block).length === 0) return html`<p class="empty">—</p>`;
  const drawing = html`<svg viewBox="0 0 ${CHART_WIDTH} ${CHART_HEIGHT}" role="img" aria-label="${block.title}">
    ${drawChart(clampValues(block))}
  </svg>`;
  return html`${drawing}${renderLegend(block)}${renderNumberTable(block, labels.numbers)}`;
}

/** Draws the chart by its variant. */
function drawChart(block: ChartBlock): Html {
  switch (block.variant) {
    case "bar":
    case "distribution":
    case "line":
      return drawAxisChart(block);
    case "radar":
      // A radar chart needs three axes.
      return block.xAxis.length < 3 ? drawAxisChart(block) : drawRadar(block);
    case "pie":
      return drawPie(block);
    case "gauge":
      return drawGauge(block);
    default:
      return assertNever(block.variant);
  }
}

/** Limits values to a range in which coordinates stay finite. */
function clampValues(block: ChartBlock): ChartBlock {
  const clamp = (value: number) => (Math.abs(value) < 1e-100 ? 0 : Math.min(1e100, Math.max(-1e100, value)));
  const series = block.series.map((entry) => ({
    ...entry,
    data: entry.data.map((value) => (value === null ? null : clamp(value))),
  }));
  return { ...block, series };
}

/** Renders the legend: slices of a pie, or series. A single series has none. */
function renderLegend({ variant, series, xAxis }: ChartBlock): Html | null {
  if (variant === "gauge" || (variant !== "pie" && series.length < 2)) return null;
  const names = variant === "pie" ? xAxis : series.map(({ name }) => name);
  const items = names.map((name, i) => {
    const key = html`<rect
      width="10"
      height="10"
      rx="2"
      ${getColourAttributes(i, variant === "pie" ? undefined : series[i]?.color)}
    />`;
    return html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true">${key}</svg>${name}</li>`;
  });
  return html`<ul class="legend">
    ${items}
  </ul>`;
}

/** Renders the values as a collapsed table. */
function renderNumberTable({ xAxis, series }: ChartBlock, summary: string): Html {
  const rows = xAxis.map((label, i) => {
    const cells = series.map(({ data }) => html`<td class="number">${formatValue(data[i])}</td>`);
    return html`<tr>
      <th scope="row">${label}</th>
      ${cells}
    </tr>`;
  });
  const heads = series.map(({ name }) => html`<th scope="col">${name}</th>`);
  const table = html`<table>
    <thead>
      <tr>
        <td></td>
        ${heads}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  return html`<details>
    <summary>${summary}</summary>
    <div class="scroll">${table}</div>
  </details>`;
}
