// Tools over the sample classroom: classes, students, assignments and scores of a teacher. A name that does not exist
// gives an `{error}` value with suggestions.

import * as z from "zod";
import { TEACHERS, type Assignment, type Classroom, type Teacher } from "../classroom.ts";
import { nearest } from "../../protocol/words/nearest.ts";
import { orFailed, refuse } from "../refused.ts";
import { dataTool } from "./tool.ts";

const id = z.string().max(200);
const ofTeacher = { teacher_id: id.describe("Whose classes these are, such as t-001") };

export const getTeacherClasses = dataTool({
  name: "get_teacher_classes",
  description: "The classes of a teacher, with how many students they have.",
  parameters: z.object(ofTeacher),
  run: ({ teacher_id }) =>
    orFailed(() => ({ teacher_id, classes: teacherBy(teacher_id).classes.map((room) => summaryOf(room)) })),
});

export const getClassDetail = dataTool({
  name: "get_class_detail",
  description: "One class with its students and its assignments, the last assignment first.",
  parameters: z.object({ ...ofTeacher, class_id: id }),
  run: ({ teacher_id, class_id }) =>
    orFailed(() => {
      const room = classBy(teacherBy(teacher_id), class_id);
      const assignments = room.assignments.map(({ scores, ...assignment }) => ({
        ...assignment,
        submission_count: scores.filter((score) => score !== null).length,
      }));
      return { teacher_id, ...summaryOf(room), students: room.students, assignments };
    }),
});

export const getAssignmentSubmissions = dataTool({
  name: "get_assignment_submissions",
  description: "Who handed in an assignment and with which score; `scores` are the scores alone.",
  parameters: z.object({ ...ofTeacher, assignment_id: id }),
  run: ({ teacher_id, assignment_id }) =>
    orFailed(() => {
      const { room, assignment } = assignmentBy(teacherBy(teacher_id), assignment_id);
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

export const getStudentGrades = dataTool({
  name: "get_student_grades",
  description: "All scores of one student, the last assignment first.",
  parameters: z.object({ ...ofTeacher, student_id: id }),
  run: ({ teacher_id, student_id }) =>
    orFailed(() => {
      const { room, index } = studentBy(teacherBy(teacher_id), student_id);
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
function summaryOf({ class_id, name, grade, subject, students }: Classroom) {
  return { class_id, name, grade, subject, student_count: students.length };
}

/** Returns the teacher by id or name; refuses if there is none. */
function teacherBy(wanted: string): Teacher {
  const found = TEACHERS.find(({ teacher_id, name }) => teacher_id === wanted || name === wanted);
  return (
    found ??
    unknown(
      "teacher",
      wanted,
      TEACHERS.map(({ teacher_id, name }) => [teacher_id, name]),
    )
  );
}

/** Returns the class by id or name; refuses if there is none. */
function classBy({ classes }: Teacher, wanted: string): Classroom {
  const found = classes.find(({ class_id, name }) => class_id === wanted || name === wanted);
  return (
    found ??
    unknown(
      "class",
      wanted,
      classes.map(({ class_id, name }) => [class_id, name]),
    )
  );
}

/** Returns the assignment by id, with its class; refuses if there is none. */
function assignmentBy({ classes }: Teacher, wanted: string): { room: Classroom; assignment: Assignment } {
  const all = classes.flatMap((room) => room.assignments.map((assignment) => ({ room, assignment })));
  const found = all.find(({ assignment }) => assignment.assignment_id === wanted);
  const names = all.map(({ room, assignment: { assignment_id, title } }): Named => [assignment_id, title, room.name]);
  return found ?? unknown("assignment", wanted, names);
}

/** Returns the class of a student and the index in it, by id or name; refuses if there is none. */
function studentBy({ classes }: Teacher, wanted: string): { room: Classroom; index: number } {
  const all = classes.flatMap((room) => room.students.map((student, index) => ({ room, student, index })));
  const found = all.find(({ student }) => student.student_id === wanted || student.name === wanted);
  return (
    found ??
    unknown(
      "student",
      wanted,
      all.map(({ student }) => [student.student_id, student.name]),
    )
  );
}

type Named = readonly [id: string, name: string, place?: string];

/** Refuses an unknown name. Suggests ids if the name looks like an id, else names. */
function unknown(entity: string, wanted: string, known: readonly Named[]): never {
  const ids = known.map(([first]) => first);
  const names = [...new Set(known.map(([, name]) => name))];
  const prefix = (text: string) => /^[a-z]+-/i.exec(text)?.[0].toLowerCase();
  const isId = ids.some((id) => prefix(id) === prefix(wanted));
  return refuse(entity, `There is no ${entity} "${wanted}".`, nearest(wanted, isId ? ids : names), wanted);
}
