// Renders tables of a page.

import { highlighter, numericColumns, type PageCell, type PageTable } from "../../protocol/page-table.ts";
import { html, type Html } from "./html.ts";

/** Renders a table. Rows and cells get the classes of their status and of the highlighting rules. */
export function table(block: PageTable, textOf: (cell: PageCell) => string): Html {
  const { headers, rows } = block;
  const styleOf = highlighter(block);
  const isNumeric = numericColumns(block);
  const isNumber = (cell: PageCell, i: number) => typeof cell === "number" || (cell === null && isNumeric[i] === true);
  const body = rows.map(({ cells, status }) => {
    const shown = cells.map((cell, i) => {
      const style = styleOf(cell, i);
      const names = [isNumber(cell, i) ? "number" : "", style ?? ""].filter((name) => name !== "");
      return html`<td class="${names.join(" ")}">${textOf(cell)}</td>`;
    });
    return html`<tr class="${status}">
      ${shown}
    </tr>`;
  });
  const heads = headers.map(
    (header, i) => html`<th scope="col" class="${isNumeric[i] === true ? "number" : ""}">${header}</th>`,
  );
  const head = html`<tr>
    ${heads}
  </tr>`;
  return html`<div class="scroll">
    <table>
      <thead>
        ${head}
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}
