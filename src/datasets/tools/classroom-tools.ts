// Tools over the sample classroom: classes, students, assignments and scores of a teacher. A name that does not exist
// gives an `{error}` value with suggestions.

import * as z from "zod";
import { TEACHERS, type Assignment, type Classroom, type Teacher } from "../sample-classroom.ts";
import { findSimilarNames } from "../../language/similar-names.ts";
import { catchRefusal, refuseQuery } from "../query-refusal.ts";
import { createMessage } from "../../language/messages.ts";
import { createDataTool } from "./data-tool.ts";

const id = z.string().max(200);
const teacherParameters = { teacher_id: id.describe("Whose classes these are, such as t-001") };

export const getTeacherClasses = createDataTool({
  name: "get_teacher_classes",
  description: "The classes of a teacher, with how many students they have.",
  parameters: z.object(teacherParameters),
  run: ({ teacher_id }) =>
    catchRefusal(() => ({
      teacher_id,
      classes: findTeacher(teacher_id).classes.map((classroom) => summarizeClass(classroom)),
    })),
});

export const getClassDetail = createDataTool({
  name: "get_class_detail",
  description: "One class with its students and its assignments, the last assignment first.",
  parameters: z.object({ ...teacherParameters, class_id: id }),
  run: ({ teacher_id, class_id }) =>
    catchRefusal(() => {
      const classroom = findClass(findTeacher(teacher_id), class_id);
      const assignments = classroom.assignments.map(({ scores, ...assignment }) => ({
        ...assignment,
        submission_count: scores.filter((score) => score !== null).length,
      }));
      return { teacher_id, ...summarizeClass(classroom), students: classroom.students, assignments };
    }),
});

export const getAssignmentSubmissions = createDataTool({
  name: "get_assignment_submissions",
  description: "Who handed in an assignment and with which score; `scores` are the scores alone.",
  parameters: z.object({ ...teacherParameters, assignment_id: id }),
  run: ({ teacher_id, assignment_id }) =>
    catchRefusal(() => {
      const { classroom, assignment } = findAssignment(findTeacher(teacher_id), assignment_id);
      const { title, type, max_score, due_date, scores } = assignment;
      const submissions = classroom.students.map(({ student_id, name }, i) => {
        const score = scores[i] ?? null;
        return { student_id, name, score, submitted: score !== null };
      });
      const about = { assignment_id: assignment.assignment_id, title, type, max_score, due_date };
      const presentScores = scores.filter((score) => score !== null);
      return {
        teacher_id,
        ...about,
        class_id: classroom.class_id,
        class_name: classroom.name,
        submissions,
        scores: presentScores,
      };
    }),
});

export const getStudentGrades = createDataTool({
  name: "get_student_grades",
  description: "All scores of one student, the last assignment first.",
  parameters: z.object({ ...teacherParameters, student_id: id }),
  run: ({ teacher_id, student_id }) =>
    catchRefusal(() => {
      const { classroom, index } = findStudent(findTeacher(teacher_id), student_id);
      const grades = classroom.assignments.map(({ assignment_id, title, max_score, due_date, scores }) => ({
        assignment_id,
        title,
        score: scores[index] ?? null,
        max_score,
        due_date,
      }));
      const { name, student_id: known } = classroom.students[index] ?? { name: "", student_id };
      return { teacher_id, student_id: known, name, class_id: classroom.class_id, class_name: classroom.name, grades };
    }),
});

/** Returns the class without its students and assignments. */
function summarizeClass({ class_id, name, grade, subject, students }: Classroom) {
  return { class_id, name, grade, subject, student_count: students.length };
}

const findTeacher = (requested: string): Teacher =>
  findNamed("teacher", requested, TEACHERS, ({ teacher_id, name }) => [teacher_id, name]);

const findClass = ({ classes }: Teacher, requested: string): Classroom =>
  findNamed("class", requested, classes, ({ class_id, name }) => [class_id, name]);

/** Returns the assignment with its class. */
function findAssignment({ classes }: Teacher, requested: string): { classroom: Classroom; assignment: Assignment } {
  const all = classes.flatMap((classroom) => classroom.assignments.map((assignment) => ({ classroom, assignment })));
  return findNamed("assignment", requested, all, ({ assignment }) => [assignment.assignment_id, assignment.title]);
}

/** Returns the class of a student and the index in it. */
function findStudent({ classes }: Teacher, requested: string): { classroom: Classroom; index: number } {
  const all = classes.flatMap((classroom) => classroom.students.map((_, index) => ({ classroom, index })));
  return findNamed("student", requested, all, ({ classroom, index }) => {
    const { student_id = "", name = "" } = classroom.students[index] ?? {};
    return [student_id, name];
  });
}

/**
 * Returns the member with this id, or the only one with this name. Refuses others; suggests ids if the requested name
 * looks like an id, else names.
 */
function findNamed<T>(
  entity: string,
  requested: string,
  all: readonly T[],
  getNames: (item: T) => readonly [id: string, name: string],
): T {
  const named = all.filter((item) => getNames(item)[1] === requested);
  const found = all.find((item) => getNames(item)[0] === requested) ?? (named.length === 1 ? named[0] : undefined);
  if (found !== undefined) return found;
  const ids = all.map((item) => getNames(item)[0]);
  const names = [...new Set(all.map((item) => getNames(item)[1]))];
  const prefix = (text: string) => /^[a-z]+-/i.exec(text)?.[0].toLowerCase();
  const isId = ids.some((known) => prefix(known) === prefix(requested));
  const text = createMessage("dataTool.unknownEntity", { entity, name: requested });
  return refuseQuery(entity, text, findSimilarNames(requested, isId ? ids : names), requested);
}
