// Pages about school classes: one class, or two side by side.

import type { Language } from "../../language/detect-language.ts";
import type { SchoolClass } from "./analysis-data.ts";
import { createBinding, createSlot, createToolNode, pick, type DraftedPage } from "./page-draft.ts";

export type ClassView = {
  readonly teacher: string;
  readonly classes: readonly SchoolClass[];
  /** The title of an assignment; by default the latest. */
  readonly assignment: string | undefined;
  readonly language: Language;
};

export function draftClassPage(view: ClassView): DraftedPage {
  const { classes, language, teacher: teacher_id } = view;
  const names = classes.map(({ name }) => name).join(pick(language, " and ", "和"));
  const what = view.assignment ?? pick(language, "last assignment", "最近一次作业");
  const bindings = classes.flatMap(({ class_id, assignments }, i) => {
    const named = assignments.find(({ title }) => title === view.assignment)?.assignment_id;
    const assignment_id = named ?? `$data.class_${i + 1}.assignments.0.assignment_id`;
    return [
      createBinding(`class_${i + 1}`, "get_class_detail", { teacher_id, class_id }),
      createBinding(`scores_${i + 1}`, "get_assignment_submissions", { teacher_id, assignment_id }),
    ];
  });
  return {
    name: `${names}${pick(language, ": ", "：")}${what}`,
    description: pick(language, `How ${names} did on the ${what}`, `${names}的${what}成绩`),
    bindings,
    ...(classes.length === 2 ? draftPair(view) : draftSingle(view)),
  };
}

type ClassDraft = Omit<DraftedPage, "name" | "description" | "bindings">;

function draftPair({ classes, language }: ClassView): ClassDraft {
  const [a = "", b = ""] = classes.map(({ name }) => name);
  const labels = { group_a: a, group_b: b };
  const scores = { group_a: "$data.scores_1.scores", group_b: "$data.scores_2.scores" };
  const title = pick(language, `${a} and ${b} side by side`, `${a} 与 ${b} 对比`);
  const allFigures = pick(language, "All figures", "全部指标");
  return {
    nodes: [createToolNode("comparison", "compare_performance", scores)],
    figures: [createSlot("figures", "kpi_grid", "$compute.comparison", { labels })],
    blocks: [
      createSlot("chart", "chart", "$compute.comparison", { title, variant: "bar", labels }),
      createSlot("table", "table", "$compute.comparison", { title: allFigures, labels }),
    ],
    task: pick(language, `Compare “${a}” with “${b}”.`, `对比“${a}”和“${b}”。`),
    about: ["comparison"],
  };
}

function draftSingle({ classes, language }: ClassView): ClassDraft {
  const name = classes[0]?.name ?? "";
  const headers = [pick(language, "Student", "学生"), pick(language, "Score", "分数")];
  const columns = { title: pick(language, "Scores of the students", "学生成绩"), columns: ["name", "score"], headers };
  const bands = { title: pick(language, `Scores of ${name}`, `${name} 的分数分布`), variant: "distribution" };
  const chart = createSlot("chart", "chart", "$compute.stats.distribution", bands);
  const table = createSlot("table", "table", "$data.scores_1.submissions", columns);
  return {
    nodes: [createToolNode("stats", "calculate_stats", { data: "$data.scores_1.scores" })],
    figures: [createSlot("figures", "kpi_grid", "$compute.stats", {})],
    blocks: [chart, table],
    task: pick(language, `Say how “${name}” did.`, `说明“${name}”的成绩。`),
    about: ["stats"],
  };
}
