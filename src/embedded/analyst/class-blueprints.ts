// Analyses of classes: one class, a comparison, a trend over assignments; and of one student.

import type { Language } from "../../language/detect-language.ts";
import {
  createBinding,
  createToolNode,
  pickByLanguage,
  createDataSlot,
  createTextSlot,
  type DraftBinding,
  type BlueprintDraft,
  type RuleJson,
  type DraftSlot,
} from "./blueprint-parts.ts";
import type { AnalysisPlan } from "./analysis-plan.ts";
import type { ClassSelection } from "./parse-analysis.ts";

type ClassPlan = Extract<AnalysisPlan, { type: "classes" }>;

export function draftClassAnalysis(plan: ClassPlan, language: Language): BlueprintDraft {
  if (plan.kind === "trend") return draftTrend(plan, language);
  const { groups } = plan;
  const bindings = groups.flatMap((group, i) => createScoreBindings(plan, group, i));
  const about = { bindings, name: buildClassTitle(plan, language), description: buildClassDescription(plan, language) };
  if (groups.length === 2 && plan.kind !== "distribution") return { ...about, ...draftPair(plan, language) };
  return {
    ...about,
    ...(groups.length === 1 ? draftSingleClass(plan, language) : draftSeveralClasses(plan, language)),
  };
}

/** Binds a class and its scores: the named assignment, or the latest when the page is shown. */
function createScoreBindings(
  { teacher, assignment }: ClassPlan,
  { id, room }: ClassSelection,
  i: number,
): DraftBinding[] {
  const all = room?.assignments ?? [];
  const named = all.find(({ title }) => title === assignment.title);
  const ofType =
    assignment.type === undefined
      ? 0
      : Math.max(
          0,
          all.findIndex(({ type }) => type === assignment.type),
        );
  return [
    createBinding(`class_${i + 1}`, "get_class_detail", { teacher_id: teacher, class_id: id }),
    createBinding(`scores_${i + 1}`, "get_assignment_submissions", {
      teacher_id: teacher,
      // An unknown title is passed on: the tool's error names the closest one.
      assignment_id:
        named?.assignment_id ??
        (room === null ? undefined : assignment.title) ??
        `$data.class_${i + 1}.assignments.${ofType}.assignment_id`,
    }),
  ];
}

type ClassDraftParts = Pick<BlueprintDraft, "nodes" | "slots" | "text">;

function draftPair({ groups }: ClassPlan, language: Language): ClassDraftParts {
  const [a = "", b = ""] = groups.map(({ name }) => name);
  const labels = { group_a: a, group_b: b };
  return {
    nodes: [
      createToolNode("comparison", "compare_performance", {
        group_a: "$data.scores_1.scores",
        group_b: "$data.scores_2.scores",
      }),
    ],
    slots: [
      createDataSlot("figures", "kpi_grid", "$compute.comparison", { labels }),
      createDataSlot("chart", "chart", "$compute.comparison", {
        title: pickByLanguage(language, `${a} and ${b} side by side`, `${a} 与 ${b} 对比`),
        variant: "bar",
        labels,
      }),
      createDataSlot("table", "table", "$compute.comparison", {
        title: pickByLanguage(language, "All figures", "全部指标"),
        labels,
      }),
      createAdviceSlot(language),
    ],
    text: {
      task: pickByLanguage(language, `Compare “${a}” with “${b}”.`, `对比“${a}”和“${b}”。`),
      about: ["comparison", "scores_1", "scores_2"],
    },
  };
}

function draftSingleClass({ groups, kind, isLowest }: ClassPlan, language: Language): ClassDraftParts {
  const name = groups[0]?.name ?? "";
  const distribution = createDataSlot("chart", "chart", "$compute.stats_1.distribution", {
    title: pickByLanguage(language, `Scores of ${name}`, `${name} 的分数分布`),
    variant: "distribution",
  });
  const sorted = kind === "ranking" ? { sortBy: "score", sortDirection: isLowest ? "asc" : "desc" } : {};
  const students = createDataSlot("students_chart", "chart", "$data.scores_1.submissions", {
    ...sorted,
    title: pickByLanguage(language, "Score of each student", "每位学生的分数"),
    variant: "bar",
    xField: "name",
    yFields: ["score"],
    labels: { score: pickByLanguage(language, "Score", "分数") },
  });
  const table = createStudentTable(1, pickByLanguage(language, "Students", "学生成绩"), language, sorted);
  const slots: Readonly<Record<string, readonly DraftSlot[]>> = {
    ranking: [students, table],
    distribution: [distribution],
    summary: [distribution, table, createAdviceSlot(language)],
  };
  const order =
    kind === "ranking"
      ? pickByLanguage(language, isLowest ? " Lowest first." : " Rank them.", isLowest ? "从低到高排名。" : "排名。")
      : "";
  return {
    nodes: [createToolNode("stats_1", "calculate_stats", { data: "$data.scores_1.scores" })],
    slots: [createDataSlot("figures", "kpi_grid", "$compute.stats_1", {}), ...(slots[kind] ?? slots["summary"] ?? [])],
    text: {
      task: pickByLanguage(language, `Say how “${name}” did.${order}`, `说明“${name}”的成绩。${order}`),
      about: ["stats_1", "scores_1"],
    },
  };
}

/** Three or more classes, or the distributions of two. */
function draftSeveralClasses({ groups, kind }: ClassPlan, language: Language): ClassDraftParts {
  const nodes = groups.map((_, i) =>
    createToolNode(`stats_${i + 1}`, "calculate_stats", { data: `$data.scores_${i + 1}.scores` }),
  );
  const rows = groups.map(({ name }, i) => ({
    class: name,
    ...Object.fromEntries(
      ["mean", "median", "min", "max", "count"].map((one) => [one, `$compute.stats_${i + 1}.${one}`]),
    ),
  }));
  const labels = { class: pickByLanguage(language, "Class", "班级") };
  const charts =
    kind === "distribution"
      ? groups.map(({ name }, i) =>
          createDataSlot(`chart_${i + 1}`, "chart", `$compute.stats_${i + 1}.distribution`, {
            title: name,
            variant: "distribution",
          }),
        )
      : [
          createDataSlot("chart", "chart", null, {
            title: pickByLanguage(language, "Classes side by side", "班级对比"),
            data: rows,
            variant: "bar",
            xField: "class",
            yFields: ["mean", "median"],
          }),
        ];
  return {
    nodes,
    slots: [
      ...charts,
      createDataSlot("table", "table", null, {
        title: pickByLanguage(language, "Figures", "指标"),
        data: rows,
        labels,
      }),
    ],
    text: {
      task: pickByLanguage(
        language,
        `Say how these did: ${formatGroupNames(groups)}.`,
        `说明这些班级的成绩：${formatGroupNames(groups)}。`,
      ),
      about: nodes.map(({ id }) => id),
    },
  };
}

/** Mean scores over the assignments with the same full score as the last one, oldest first. */
function draftTrend({ groups, teacher, ...plan }: ClassPlan, language: Language): BlueprintDraft {
  const [first] = groups;
  const all = first?.room?.assignments ?? [];
  const alike = all
    .filter(({ max_score }) => max_score === all[0]?.max_score)
    .toReversed()
    .slice(-6);
  const points = groups.flatMap(({ room, id }, g) =>
    alike.length === 0
      ? [{ g, a: 0, title: "", id, room: null }]
      : alike.flatMap(({ title }, a) => {
          const own = room?.assignments.find((one) => one.title === title);
          return own === undefined ? [] : [{ g, a, title, id: own.assignment_id, room }];
        }),
  );
  const key = (g: number, a: number) => `${g + 1}_${a + 1}`;
  const bindings = points.map(({ g, a, id, room }) =>
    room === null
      ? createBinding(`scores_${key(g, a)}`, "get_class_detail", { teacher_id: teacher, class_id: id })
      : createBinding(`scores_${key(g, a)}`, "get_assignment_submissions", { teacher_id: teacher, assignment_id: id }),
  );
  const stats = points.map(({ g, a }) =>
    createToolNode(`stats_${key(g, a)}`, "calculate_stats", { data: `$data.scores_${key(g, a)}.scores` }),
  );
  const rows = alike.map(({ title }, a): RuleJson => ({
    assignment: title,
    ...Object.fromEntries(
      points
        .filter((point) => point.a === a)
        .map(({ g }) => [groups[g]?.name ?? "", `$compute.stats_${key(g, a)}.mean`]),
    ),
  }));
  const names = groups.map(({ name }) => name);
  const told = points.map(({ g, title }) => `“${names[g] ?? ""} · ${title}”`);
  const labels = Object.fromEntries(names.map((name) => [name, name]));
  const ahead = pickByLanguage(language, "Assignment", "作业");
  return {
    name: buildClassTitle({ ...plan, groups, teacher }, language),
    description: pickByLanguage(
      language,
      `Mean scores of ${formatGroupNames(groups)} over their assignments with the same full score`,
      `${formatGroupNames(groups)}历次同满分作业的平均分`,
    ),
    bindings,
    nodes: stats,
    slots: [
      createDataSlot("chart", "chart", null, {
        title: pickByLanguage(language, "Mean score", "平均分"),
        data: rows,
        variant: "line",
        xField: "assignment",
        yFields: names,
        labels,
      }),
      createDataSlot("table", "table", null, {
        title: pickByLanguage(language, "Mean score", "平均分"),
        data: rows,
        labels: { ...labels, assignment: ahead },
      }),
    ],
    text: {
      task: pickByLanguage(language, `Say how these developed: ${told.join(", ")}.`, `说明变化：${told.join("、")}。`),
      about: stats.map(({ id }) => id),
    },
  };
}

export function draftStudentAnalysis(
  { teacher, name }: Extract<AnalysisPlan, { type: "student" }>,
  language: Language,
): BlueprintDraft {
  const title = pickByLanguage(language, "Score", "分数");
  return {
    name: pickByLanguage(language, `${name}: scores`, `${name} 的成绩`),
    description: pickByLanguage(language, `All assignments of ${name}`, `${name} 的全部作业`),
    bindings: [createBinding("grades", "get_student_grades", { teacher_id: teacher, student_id: name })],
    nodes: [],
    slots: [
      createDataSlot("chart", "chart", "$data.grades.grades", {
        title: pickByLanguage(language, "Score of each assignment", "各次作业分数"),
        variant: "bar",
        xField: "title",
        yFields: ["score"],
        labels: { score: title },
      }),
      createDataSlot("table", "table", "$data.grades.grades", {
        title: pickByLanguage(language, "Assignments", "作业"),
        columns: ["title", "score", "max_score", "due_date"],
        labels: {
          title: pickByLanguage(language, "Assignment", "作业"),
          score: title,
          max_score: pickByLanguage(language, "Out of", "满分"),
          due_date: pickByLanguage(language, "Due", "截止日期"),
        },
      }),
    ],
    text: { task: pickByLanguage(language, `Say how “${name}” did.`, `说明“${name}”的成绩。`), about: ["grades"] },
  };
}

function createStudentTable(i: number, title: string, language: Language, sorted: RuleJson): DraftSlot {
  return createDataSlot("table", "table", `$data.scores_${i}.submissions`, {
    ...sorted,
    title,
    columns: ["name", "score"],
    headers: [pickByLanguage(language, "Student", "学生"), pickByLanguage(language, "Score", "分数")],
  });
}

function createAdviceSlot(language: Language): DraftSlot {
  return createTextSlot("advice", "suggestion_list", {
    title: pickByLanguage(language, "Suggestions", "建议"),
    instruction: pickByLanguage(language, "Suggest what to do next.", "给出下一步建议。"),
  });
}

const formatGroupNames = (groups: readonly ClassSelection[]): string =>
  groups.map(({ name }) => `“${name}”`).join(", ");

function buildClassTitle({ groups, kind, assignment }: ClassPlan, language: Language): string {
  const names = groups.map(({ name }) => name).join(pickByLanguage(language, " and ", "和"));
  const what =
    assignment.title ?? (kind === "trend" ? "" : pickByLanguage(language, "last assignment", "最近一次作业"));
  const how: Readonly<Record<string, string>> = {
    trend: pickByLanguage(language, "trend", "趋势"),
    distribution: pickByLanguage(language, "distribution of scores", "分数分布"),
    ranking: pickByLanguage(language, "ranking", "排名"),
  };
  return [`${names}`, [what, how[kind] ?? ""].filter(Boolean).join(pickByLanguage(language, ", ", "，"))]
    .filter(Boolean)
    .join(pickByLanguage(language, ": ", "："));
}

function buildClassDescription({ groups, assignment }: ClassPlan, language: Language): string {
  const names = groups.map(({ name }) => name).join(pickByLanguage(language, " and ", "和"));
  return assignment.title === undefined
    ? pickByLanguage(language, `How ${names} did on the last assignment`, `${names}最近一次作业的成绩`)
    : pickByLanguage(language, `How ${names} did on ${assignment.title}`, `${names}的${assignment.title}成绩`);
}
