// Renders charts as SVG without scripts, fonts or colours from outside the style sheet.

import { unreachable } from "../../protocol/assert.ts";
import { upright } from "./axes.ts";
import { HEIGHT, paint, valuesIn, valueText, WIDTH, type Chart } from "./drawing.ts";
import { html, type Html } from "./html.ts";
import { gauge, pie, radar } from "./round.ts";

/**
 * Renders a chart with its legend and with its values as a table for accessibility. `labels` contains the title of the
 * table.
 */
export function chart(block: Chart, words: { readonly numbers: string }): Html {
  if (valuesIn(block).length === 0) return html`<p class="empty">—</p>`;
  const drawing = html`<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${block.title}">
    ${drawn(drawable(block))}
  </svg>`;
  return html`${drawing}${legend(block)}${numbers(block, words.numbers)}`;
}

/** Draws the chart by its variant. */
function drawn(block: Chart): Html {
  switch (block.variant) {
    case "bar":
    case "distribution":
    case "line":
      return upright(block);
    case "radar":
      // A radar chart needs three axes.
      return block.xAxis.length < 3 ? upright(block) : radar(block);
    case "pie":
      return pie(block);
    case "gauge":
      return gauge(block);
    default:
      return unreachable(block.variant);
  }
}

/** Limits values to a range in which coordinates stay finite. */
function drawable(block: Chart): Chart {
  const placed = (value: number) => (Math.abs(value) < 1e-100 ? 0 : Math.min(1e100, Math.max(-1e100, value)));
  const series = block.series.map((one) => ({
    ...one,
    data: one.data.map((value) => (value === null ? null : placed(value))),
  }));
  return { ...block, series };
}

/** Renders the legend: slices of a pie, or series. A single series has none. */
function legend({ variant, series, xAxis }: Chart): Html | null {
  if (variant === "gauge" || (variant !== "pie" && series.length < 2)) return null;
  const names = variant === "pie" ? xAxis : series.map(({ name }) => name);
  const items = names.map((name, i) => {
    const key = html`<rect
      width="10"
      height="10"
      rx="2"
      ${paint(i, variant === "pie" ? undefined : series[i]?.color)}
    />`;
    return html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true">${key}</svg>${name}</li>`;
  });
  return html`<ul class="legend">
    ${items}
  </ul>`;
}

/** Renders the values as a collapsed table. */
function numbers({ xAxis, series }: Chart, words: string): Html {
  const rows = xAxis.map((label, i) => {
    const cells = series.map(({ data }) => html`<td class="number">${valueText(data[i])}</td>`);
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
    <summary>${words}</summary>
    <div class="scroll">${table}</div>
  </details>`;
}
