import type { Block } from "../../protocol/page.ts";
import { html, type Html } from "./html.ts";

type Table = Extract<Block, { type: "table" }>;
type Cell = Table["rows"][number]["cells"][number];
type Rule = Table["highlightRules"][number];

/** A table with what its rows and rules point out. */
export function table({ headers, rows, highlightRules }: Table, textOf: (cell: Cell) => string): Html {
  const rules = highlightRules.map((rule) => ({ ...rule, at: columnOf(rule, headers) }));
  const isNumeric = headers.map(
    (_, i) => typeof rows.find(({ cells }) => (cells[i] ?? null) !== null)?.cells[i] === "number",
  );
  const isNumber = (cell: Cell, i: number) => typeof cell === "number" || (cell === null && isNumeric[i] === true);
  const body = rows.map(({ cells, status }) => {
    const shown = cells.map((cell, i) => {
      const style = rules.find((rule) => rule.at === i && isMet(rule, cell))?.style;
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

function columnOf({ column }: Rule, headers: readonly string[]): number {
  return typeof column === "number" ? column : headers.indexOf(column);
}

/** Numbers are compared as numbers, also where they stand as text; anything else only for being the same. */
export function isMet({ condition, value }: Pick<Rule, "condition" | "value">, cell: Cell): boolean {
  if (cell === null || cell === "") return false;
  const [left, right] = [Number(cell), Number(value)];
  const areNumbers = !Number.isNaN(left) && !Number.isNaN(right) && value !== "";
  switch (condition) {
    case "eq":
      return areNumbers ? left === right : String(cell) === String(value);
    case "neq":
      return areNumbers ? left !== right : String(cell) !== String(value);
    case "lt":
      return areNumbers && left < right;
    case "lte":
      return areNumbers && left <= right;
    case "gt":
      return areNumbers && left > right;
    case "gte":
      return areNumbers && left >= right;
  }
}
