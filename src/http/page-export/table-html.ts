// Renders tables of a page.

import { createCellStyler, findNumericColumns, type PageCell, type PageTable } from "../../pages/page-table.ts";
import { html, type Html } from "../html-template.ts";

/**
 * Renders a table; `formatCell` returns the text of a cell. Rows and cells get the classes of their status and rules.
 */
export function renderTable(block: PageTable, formatCell: (cell: PageCell) => string): Html {
  const { headers, rows } = block;
  const getCellStyle = createCellStyler(block);
  const isNumeric = findNumericColumns(block);
  const isNumber = (cell: PageCell, i: number) => typeof cell === "number" || (cell === null && isNumeric[i] === true);
  const body = rows.map(({ cells, status }) => {
    const shown = cells.map((cell, i) => {
      const style = getCellStyle(cell, i);
      const names = [isNumber(cell, i) ? "number" : "", style ?? ""].filter((name) => name !== "");
      return html`<td class="${names.join(" ")}">${formatCell(cell)}</td>`;
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
