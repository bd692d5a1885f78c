// Renders the blocks of a page as HTML. All content is escaped, whether it comes from a model or from a user.

import { assertNever } from "../../lib/assert.ts";
import type { PageBlock } from "../../protocol/pages/page.ts";
import { formatPageCell } from "../../pages/page-table.ts";
import { renderChart } from "./chart-svg.ts";
import { html, type Html } from "../html-template.ts";
import { renderMarkdown } from "./markdown-html.ts";
import { renderTable } from "./table-html.ts";
import type { PageLabels } from "./page-labels.ts";

type BlockOfType<Type extends PageBlock["type"]> = Extract<PageBlock, { type: Type }>;

/** Renders one block as a section. `unverified` are the numbers in it that no tool has produced; they follow it. */
export function renderBlock(block: PageBlock, labels: PageLabels, unverified: readonly string[]): Html {
  const warning =
    unverified.length === 0 ? null : html`<p class="doubt">${labels.unverified} ${unverified.join(", ")}</p>`;
  return html`<section class="block ${block.type}">${renderBlockBody(block, labels)}${warning}</section>`;
}

function renderBlockBody(block: PageBlock, labels: PageLabels): Html {
  switch (block.type) {
    case "kpi_grid":
      return renderKpis(block);
    case "chart":
      return html`<h3>${block.title}</h3>
        ${renderChart(block, labels)}`;
    case "table":
      return html`<h3>${block.title}</h3>
        ${renderTable(block, (cell) => formatPageCell(cell, labels))}`;
    case "markdown":
      return html`<div class="prose ${block.variant}">${renderMarkdown(block.content)}</div>`;
    case "suggestion_list":
      return renderSuggestions(block, labels);
    case "question_generator":
      return renderQuestions(block, labels);
    default:
      return assertNever(block);
  }
}

const STATUS_ARROWS = { up: "▲ ", down: "▼ ", neutral: "" } as const;

function renderKpis({ data }: BlockOfType<"kpi_grid">): Html {
  const items = data.map(
    ({ label, value, status, subtext }) =>
      html`<div class="kpi ${status}">
        <dt>${label}</dt>
        <dd><b>${value}</b><span>${STATUS_ARROWS[status]}${subtext}</span></dd>
      </div>`,
  );
  return html`<dl class="kpis">${items}</dl>`;
}

function renderSuggestions({ title, items }: BlockOfType<"suggestion_list">, labels: PageLabels): Html {
  const listed = items.map(({ title: what, description, priority, category }) => {
    const label = [labels[priority], category].filter((part) => part !== "").join(" · ");
    return html`<li class="${priority}">
      <b>${what}</b> <span class="tag">${label}</span>
      <div class="prose">${renderMarkdown(description)}</div>
    </li>`;
  });
  return html`<h3>${title}</h3>
    <ul class="suggestions">
      ${listed}
    </ul>`;
}

function renderQuestions(
  { title, description, knowledgePoint, questions: all }: BlockOfType<"question_generator">,
  labels: PageLabels,
): Html {
  const listed = all
    .toSorted((a, b) => a.order - b.order)
    .map(({ question, options = [], answer, explanation, difficulty }) => {
      const choices =
        options.length === 0
          ? null
          : html`<ol class="options">
              ${options.map((option) => html`<li>${option}</li>`)}
            </ol>`;
      const solved = html`<details>
        <summary>${labels.answer}</summary>
        <p><b>${answer}</b></p>
        ${explanation === "" ? null : html`<p>${explanation}</p>`}
      </details>`;
      return html`<li>
        <div class="prose">${renderMarkdown(question)}</div>
        <span class="tag">${labels[difficulty]}</span>${choices}${solved}
      </li>`;
    });
  const about = [description, knowledgePoint].filter((part) => part !== "").map((part) => html`<p>${part}</p>`);
  return html`<h3>${title}</h3>
    ${about}
    <ol class="questions">
      ${listed}
    </ol>`;
}
