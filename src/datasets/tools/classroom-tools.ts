// Tools over the sample classroom: classes, students, assignments and scores of a teacher. A name that does not exist
// gives an `{error}` value with suggestions.

import * as z from "zod";
import { TEACHERS, type Assignment, type Classroom, type Teacher } from "../sample-classroom.ts";
import { findSimilarNames } from "../../protocol/language/similar-names.ts";
import { catchRefusal, refuseQuery } from "../query-refusal.ts";
import { createDataTool } from "./data-tool.ts";

const id = z.string().max(200);
const teacherParameters = { teacher_id: id.describe("Whose classes these are, such as t-001") };

export const getTeacherClasses = createDataTool({
  name: "get_teacher_classes",
  description: "The classes of a teacher, with how many students they have.",
  parameters: z.object(teacherParameters),
  run: ({ teacher_id }) =>
    catchRefusal(() => ({ teacher_id, classes: findTeacher(teacher_id).classes.map((room) => summarizeClass(room)) })),
});

export const getClassDetail = createDataTool({
  name: "get_class_detail",
  description: "One class with its students and its assignments, the last assignment first.",
  parameters: z.object({ ...teacherParameters, class_id: id }),
  run: ({ teacher_id, class_id }) =>
    catchRefusal(() => {
      const room = findClass(findTeacher(teacher_id), class_id);
      const assignments = room.assignments.map(({ scores, ...assignment }) => ({
        ...assignment,
        submission_count: scores.filter((score) => score !== null).length,
      }));
      return { teacher_id, ...summarizeClass(room), students: room.students, assignments };
    }),
});

export const getAssignmentSubmissions = createDataTool({
  name: "get_assignment_submissions",
  description: "Who handed in an assignment and with which score; `scores` are the scores alone.",
  parameters: z.object({ ...teacherParameters, assignment_id: id }),
  run: ({ teacher_id, assignment_id }) =>
    catchRefusal(() => {
      const { room, assignment } = findAssignment(findTeacher(teacher_id), assignment_id);
      const { title, type, max_score, due_date, scores } = assignment;
      const submissions = room.students.map(({ student_id, name }, i) => {
        const score = scores[i] ?? null;
        return { student_id, name, score, submitted: score !== null };
      });
      const about = { assignment_id: assignment.assignment_id, title, type, max_score, due_date };
      const given = scores.filter((score) => score !== null);
      return { teacher_id, ...about, class_id: room.class_id, class_name: room.name, submissions, scores: given };
    }),
});

export const getStudentGrades = createDataTool({
  name: "get_student_grades",
  description: "All scores of one student, the last assignment first.",
  parameters: z.object({ ...teacherParameters, student_id: id }),
  run: ({ teacher_id, student_id }) =>
    catchRefusal(() => {
      const { room, index } = findStudent(findTeacher(teacher_id), student_id);
      const grades = room.assignments.map(({ assignment_id, title, max_score, due_date, scores }) => ({
        assignment_id,
        title,
        score: scores[index] ?? null,
        max_score,
        due_date,
      }));
      const { name, student_id: known } = room.students[index] ?? { name: "", student_id };
      return { teacher_id, student_id: known, name, class_id: room.class_id, class_name: room.name, grades };
    }),
});

/** Returns the class without its students and assignments. */
function summarizeClass({ class_id, name, grade, subject, students }: Classroom) {
  return { class_id, name, grade, subject, student_count: students.length };
}

/** Returns the teacher by id or name; refuses if there is none. */
function findTeacher(wanted: string): Teacher {
  const found = TEACHERS.find(({ teacher_id, name }) => teacher_id === wanted || name === wanted);
  return (
    found ??
    refuseUnknownEntity(
      "teacher",
      wanted,
      TEACHERS.map(({ teacher_id, name }) => [teacher_id, name]),
    )
  );
}

/** Returns the class by id or name; refuses if there is none. */
function findClass({ classes }: Teacher, wanted: string): Classroom {
  const found = classes.find(({ class_id, name }) => class_id === wanted || name === wanted);
  return (
    found ??
    refuseUnknownEntity(
      "class",
      wanted,
      classes.map(({ class_id, name }) => [class_id, name]),
    )
  );
}

/** Returns the assignment by id, with its class; refuses if there is none. */
function findAssignment({ classes }: Teacher, wanted: string): { room: Classroom; assignment: Assignment } {
  const all = classes.flatMap((room) => room.assignments.map((assignment) => ({ room, assignment })));
  const found = all.find(({ assignment }) => assignment.assignment_id === wanted);
  const names = all.map(({ room, assignment: { assignment_id, title } }): NamedEntity => [
    assignment_id,
    title,
    room.name,
  ]);
  return found ?? refuseUnknownEntity("assignment", wanted, names);
}

/** Returns the class of a student and the index in it, by id or name; refuses if there is none. */
function findStudent({ classes }: Teacher, wanted: string): { room: Classroom; index: number } {
  const all = classes.flatMap((room) => room.students.map((student, index) => ({ room, student, index })));
  const found = all.find(({ student }) => student.student_id === wanted || student.name === wanted);
  return (
    found ??
    refuseUnknownEntity(
      "student",
      wanted,
      all.map(({ student }) => [student.student_id, student.name]),
    )
  );
}

type NamedEntity = readonly [id: string, name: string, place?: string];

/** Refuses an unknown name. Suggests ids if the name looks like an id, else names. */
function refuseUnknownEntity(entity: string, wanted: string, known: readonly NamedEntity[]): never {
  const ids = known.map(([first]) => first);
  const names = [...new Set(known.map(([, name]) => name))];
  const prefix = (text: string) => /^[a-z]+-/i.exec(text)?.[0].toLowerCase();
  const isId = ids.some((id) => prefix(id) === prefix(wanted));
  return refuseQuery(
    entity,
    `There is no ${entity} "${wanted}".`,
    findSimilarNames(wanted, isId ? ids : names),
    wanted,
  );
}
