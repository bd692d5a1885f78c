// Renders the blocks of a page as HTML. All content is escaped, whether it comes from a model or from a user.

import { unreachable } from "../../protocol/assert.ts";
import type { Block } from "../../protocol/page.ts";
import { cellText } from "../../protocol/page-table.ts";
import { chart } from "./chart.ts";
import { html, type Html } from "./html.ts";
import { markdown } from "./markdown.ts";
import { table } from "./table.ts";
import type { Words } from "./words.ts";

type Of<Type extends Block["type"]> = Extract<Block, { type: Type }>;

/** Renders one block. `unverified` are the numbers in it that no tool has produced; they are listed below it. */
export function blockOf(block: Block, words: Words, unverified: readonly string[]): Html {
  const doubts =
    unverified.length === 0 ? null : html`<p class="doubt">${words.unverified} ${unverified.join(", ")}</p>`;
  return html`<section class="block ${block.type}">${bodyOf(block, words)}${doubts}</section>`;
}

function bodyOf(block: Block, words: Words): Html {
  switch (block.type) {
    case "kpi_grid":
      return kpis(block);
    case "chart":
      return html`<h3>${block.title}</h3>
        ${chart(block, words)}`;
    case "table":
      return html`<h3>${block.title}</h3>
        ${table(block, (cell) => cellText(cell, words))}`;
    case "markdown":
      return html`<div class="prose ${block.variant}">${markdown(block.content)}</div>`;
    case "suggestion_list":
      return suggestions(block, words);
    case "question_generator":
      return questions(block, words);
    default:
      return unreachable(block);
  }
}

const ARROWS = { up: "▲ ", down: "▼ ", neutral: "" } as const;

function kpis({ data }: Of<"kpi_grid">): Html {
  const items = data.map(
    ({ label, value, status, subtext }) =>
      html`<div class="kpi ${status}">
        <dt>${label}</dt>
        <dd><b>${value}</b><span>${ARROWS[status]}${subtext}</span></dd>
      </div>`,
  );
  return html`<dl class="kpis">${items}</dl>`;
}

function suggestions({ title, items }: Of<"suggestion_list">, words: Words): Html {
  const listed = items.map(({ title: what, description, priority, category }) => {
    const label = [words[priority], category].filter((part) => part !== "").join(" · ");
    return html`<li class="${priority}">
      <b>${what}</b> <span class="tag">${label}</span>
      <div class="prose">${markdown(description)}</div>
    </li>`;
  });
  return html`<h3>${title}</h3>
    <ul class="suggestions">
      ${listed}
    </ul>`;
}

function questions(
  { title, description, knowledgePoint, questions: all }: Of<"question_generator">,
  words: Words,
): Html {
  const listed = all
    .toSorted((a, b) => a.order - b.order)
    .map(({ question, options = [], answer, explanation, difficulty }) => {
      const choices =
        options.length === 0
          ? null
          : html`<ol class="options">
              ${options.map((one) => html`<li>${one}</li>`)}
            </ol>`;
      const solved = html`<details>
        <summary>${words.answer}</summary>
        <p><b>${answer}</b></p>
        ${explanation === "" ? null : html`<p>${explanation}</p>`}
      </details>`;
      return html`<li>
        <div class="prose">${markdown(question)}</div>
        <span class="tag">${words[difficulty]}</span>${choices}${solved}
      </li>`;
    });
  const about = [description, knowledgePoint].filter((part) => part !== "").map((part) => html`<p>${part}</p>`);
  return html`<h3>${title}</h3>
    ${about}
    <ol class="questions">
      ${listed}
    </ol>`;
}
