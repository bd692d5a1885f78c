// Analyses of classes: one class, a comparison, a trend over assignments; and of one student.

import type { Language } from "../../../protocol/words/language.ts";
import { binding, reckon, say, shown, written, type Binding, type Draft, type Json, type Slot } from "./draft.ts";
import type { Plan } from "./plan.ts";
import type { Group } from "./wish.ts";

type ClassPlan = Extract<Plan, { type: "classes" }>;

export function overClasses(plan: ClassPlan, language: Language): Draft {
  if (plan.kind === "trend") return trend(plan, language);
  const { groups } = plan;
  const bindings = groups.flatMap((group, i) => scoresOf(plan, group, i));
  const about = { bindings, name: titleOf(plan, language), description: describedAs(plan, language) };
  if (groups.length === 2 && plan.kind !== "distribution") return { ...about, ...pair(plan, language) };
  return { ...about, ...(groups.length === 1 ? single(plan, language) : several(plan, language)) };
}

/** Binds a class and its scores: the named assignment, or the latest when the page is shown. */
function scoresOf({ teacher, assignment }: ClassPlan, { id, room }: Group, i: number): Binding[] {
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
    binding(`class_${i + 1}`, "get_class_detail", { teacher_id: teacher, class_id: id }),
    binding(`scores_${i + 1}`, "get_assignment_submissions", {
      teacher_id: teacher,
      // An unknown title is passed on: the tool's error names the closest one.
      assignment_id:
        named?.assignment_id ??
        (room === null ? undefined : assignment.title) ??
        `$data.class_${i + 1}.assignments.${ofType}.assignment_id`,
    }),
  ];
}

type Rest = Pick<Draft, "nodes" | "slots" | "text">;

function pair({ groups }: ClassPlan, language: Language): Rest {
  const [a = "", b = ""] = groups.map(({ name }) => name);
  const labels = { group_a: a, group_b: b };
  return {
    nodes: [
      reckon("comparison", "compare_performance", {
        group_a: "$data.scores_1.scores",
        group_b: "$data.scores_2.scores",
      }),
    ],
    slots: [
      shown("figures", "kpi_grid", "$compute.comparison", { labels }),
      shown("chart", "chart", "$compute.comparison", {
        title: say(language, `${a} and ${b} side by side`, `${a} 与 ${b} 对比`),
        variant: "bar",
        labels,
      }),
      shown("table", "table", "$compute.comparison", { title: say(language, "All figures", "全部指标"), labels }),
      advice(language),
    ],
    text: {
      task: say(language, `Compare “${a}” with “${b}”.`, `对比“${a}”和“${b}”。`),
      about: ["comparison", "scores_1", "scores_2"],
    },
  };
}

function single({ groups, kind, isLowest }: ClassPlan, language: Language): Rest {
  const name = groups[0]?.name ?? "";
  const distribution = shown("chart", "chart", "$compute.stats_1.distribution", {
    title: say(language, `Scores of ${name}`, `${name} 的分数分布`),
    variant: "distribution",
  });
  const sorted = kind === "ranking" ? { sortBy: "score", sortDirection: isLowest ? "asc" : "desc" } : {};
  const students = shown("students_chart", "chart", "$data.scores_1.submissions", {
    ...sorted,
    title: say(language, "Score of each student", "每位学生的分数"),
    variant: "bar",
    xField: "name",
    yFields: ["score"],
    labels: { score: say(language, "Score", "分数") },
  });
  const table = studentTable(1, say(language, "Students", "学生成绩"), language, sorted);
  const slots: Readonly<Record<string, readonly Slot[]>> = {
    ranking: [students, table],
    distribution: [distribution],
    summary: [distribution, table, advice(language)],
  };
  const order =
    kind === "ranking"
      ? say(language, isLowest ? " Lowest first." : " Rank them.", isLowest ? "从低到高排名。" : "排名。")
      : "";
  return {
    nodes: [reckon("stats_1", "calculate_stats", { data: "$data.scores_1.scores" })],
    slots: [shown("figures", "kpi_grid", "$compute.stats_1", {}), ...(slots[kind] ?? slots["summary"] ?? [])],
    text: {
      task: say(language, `Say how “${name}” did.${order}`, `说明“${name}”的成绩。${order}`),
      about: ["stats_1", "scores_1"],
    },
  };
}

/** Three or more classes, or the distributions of two. */
function several({ groups, kind }: ClassPlan, language: Language): Rest {
  const nodes = groups.map((_, i) =>
    reckon(`stats_${i + 1}`, "calculate_stats", { data: `$data.scores_${i + 1}.scores` }),
  );
  const rows = groups.map(({ name }, i) => ({
    class: name,
    ...Object.fromEntries(
      ["mean", "median", "min", "max", "count"].map((one) => [one, `$compute.stats_${i + 1}.${one}`]),
    ),
  }));
  const labels = { class: say(language, "Class", "班级") };
  const charts =
    kind === "distribution"
      ? groups.map(({ name }, i) =>
          shown(`chart_${i + 1}`, "chart", `$compute.stats_${i + 1}.distribution`, {
            title: name,
            variant: "distribution",
          }),
        )
      : [
          shown("chart", "chart", null, {
            title: say(language, "Classes side by side", "班级对比"),
            data: rows,
            variant: "bar",
            xField: "class",
            yFields: ["mean", "median"],
          }),
        ];
  return {
    nodes,
    slots: [...charts, shown("table", "table", null, { title: say(language, "Figures", "指标"), data: rows, labels })],
    text: {
      task: say(language, `Say how these did: ${named(groups)}.`, `说明这些班级的成绩：${named(groups)}。`),
      about: nodes.map(({ id }) => id),
    },
  };
}

/** Mean scores over the assignments with the same full score as the last one, oldest first. */
function trend({ groups, teacher, ...plan }: ClassPlan, language: Language): Draft {
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
      ? binding(`scores_${key(g, a)}`, "get_class_detail", { teacher_id: teacher, class_id: id })
      : binding(`scores_${key(g, a)}`, "get_assignment_submissions", { teacher_id: teacher, assignment_id: id }),
  );
  const stats = points.map(({ g, a }) =>
    reckon(`stats_${key(g, a)}`, "calculate_stats", { data: `$data.scores_${key(g, a)}.scores` }),
  );
  const rows = alike.map(({ title }, a): Json => ({
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
  const ahead = say(language, "Assignment", "作业");
  return {
    name: titleOf({ ...plan, groups, teacher }, language),
    description: say(
      language,
      `Mean scores of ${named(groups)} over their assignments with the same full score`,
      `${named(groups)}历次同满分作业的平均分`,
    ),
    bindings,
    nodes: stats,
    slots: [
      shown("chart", "chart", null, {
        title: say(language, "Mean score", "平均分"),
        data: rows,
        variant: "line",
        xField: "assignment",
        yFields: names,
        labels,
      }),
      shown("table", "table", null, {
        title: say(language, "Mean score", "平均分"),
        data: rows,
        labels: { ...labels, assignment: ahead },
      }),
    ],
    text: {
      task: say(language, `Say how these developed: ${told.join(", ")}.`, `说明变化：${told.join("、")}。`),
      about: stats.map(({ id }) => id),
    },
  };
}

export function overStudent({ teacher, name }: Extract<Plan, { type: "student" }>, language: Language): Draft {
  const title = say(language, "Score", "分数");
  return {
    name: say(language, `${name}: scores`, `${name} 的成绩`),
    description: say(language, `All assignments of ${name}`, `${name} 的全部作业`),
    bindings: [binding("grades", "get_student_grades", { teacher_id: teacher, student_id: name })],
    nodes: [],
    slots: [
      shown("chart", "chart", "$data.grades.grades", {
        title: say(language, "Score of each assignment", "各次作业分数"),
        variant: "bar",
        xField: "title",
        yFields: ["score"],
        labels: { score: title },
      }),
      shown("table", "table", "$data.grades.grades", {
        title: say(language, "Assignments", "作业"),
        columns: ["title", "score", "max_score", "due_date"],
        labels: {
          title: say(language, "Assignment", "作业"),
          score: title,
          max_score: say(language, "Out of", "满分"),
          due_date: say(language, "Due", "截止日期"),
        },
      }),
    ],
    text: { task: say(language, `Say how “${name}” did.`, `说明“${name}”的成绩。`), about: ["grades"] },
  };
}

function studentTable(i: number, title: string, language: Language, sorted: Json): Slot {
  return shown("table", "table", `$data.scores_${i}.submissions`, {
    ...sorted,
    title,
    columns: ["name", "score"],
    headers: [say(language, "Student", "学生"), say(language, "Score", "分数")],
  });
}

function advice(language: Language): Slot {
  return written("advice", "suggestion_list", {
    title: say(language, "Suggestions", "建议"),
    instruction: say(language, "Suggest what to do next.", "给出下一步建议。"),
  });
}

const named = (groups: readonly Group[]): string => groups.map(({ name }) => `“${name}”`).join(", ");

function titleOf({ groups, kind, assignment }: ClassPlan, language: Language): string {
  const names = groups.map(({ name }) => name).join(say(language, " and ", "和"));
  const what = assignment.title ?? (kind === "trend" ? "" : say(language, "last assignment", "最近一次作业"));
  const how: Readonly<Record<string, string>> = {
    trend: say(language, "trend", "趋势"),
    distribution: say(language, "distribution of scores", "分数分布"),
    ranking: say(language, "ranking", "排名"),
  };
  return [`${names}`, [what, how[kind] ?? ""].filter(Boolean).join(say(language, ", ", "，"))]
    .filter(Boolean)
    .join(say(language, ": ", "："));
}

function describedAs({ groups, assignment }: ClassPlan, language: Language): string {
  const names = groups.map(({ name }) => name).join(say(language, " and ", "和"));
  return assignment.title === undefined
    ? say(language, `How ${names} did on the last assignment`, `${names}最近一次作业的成绩`)
    : say(language, `How ${names} did on ${assignment.title}`, `${names}的${assignment.title}成绩`);
}
