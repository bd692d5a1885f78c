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

/** Returns the teacher by id or name; refuses if there is none. */
function findTeacher(requested: string): Teacher {
  const found = TEACHERS.find(({ teacher_id, name }) => teacher_id === requested || name === requested);
  return (
    found ??
    refuseUnknownEntity(
      "teacher",
      requested,
      TEACHERS.map(({ teacher_id, name }) => [teacher_id, name]),
    )
  );
}

/** Returns the class by id or name; refuses if there is none. */
function findClass({ classes }: Teacher, requested: string): Classroom {
  const found = classes.find(({ class_id, name }) => class_id === requested || name === requested);
  return (
    found ??
    refuseUnknownEntity(
      "class",
      requested,
      classes.map(({ class_id, name }) => [class_id, name]),
    )
  );
}

/** Returns the assignment by id, with its class; refuses if there is none. */
function findAssignment({ classes }: Teacher, requested: string): { classroom: Classroom; assignment: Assignment } {
  const all = classes.flatMap((classroom) => classroom.assignments.map((assignment) => ({ classroom, assignment })));
  const found = all.find(({ assignment }) => assignment.assignment_id === requested);
  const names = all.map(({ classroom, assignment: { assignment_id, title } }): NamedEntity => [
    assignment_id,
    title,
    classroom.name,
  ]);
  return found ?? refuseUnknownEntity("assignment", requested, names);
}

/** Returns the class of a student and the index in it, by id or name; refuses if there is none. */
function findStudent({ classes }: Teacher, requested: string): { classroom: Classroom; index: number } {
  const all = classes.flatMap((classroom) =>
    classroom.students.map((student, index) => ({ classroom, student, index })),
  );
  const found = all.find(({ student }) => student.student_id === requested || student.name === requested);
  return (
    found ??
    refuseUnknownEntity(
      "student",
      requested,
      all.map(({ student }) => [student.student_id, student.name]),
    )
  );
}

type NamedEntity = readonly [id: string, name: string, className?: string];

/** Refuses an unknown name. Suggests ids if the name looks like an id, else names. */
function refuseUnknownEntity(entity: string, requested: string, known: readonly NamedEntity[]): never {
  const ids = known.map(([first]) => first);
  const names = [...new Set(known.map(([, name]) => name))];
  const prefix = (text: string) => /^[a-z]+-/i.exec(text)?.[0].toLowerCase();
  const isId = ids.some((id) => prefix(id) === prefix(requested));
  return refuseQuery(
    entity,
    createMessage("dataTool.unknownEntity", { entity, name: requested }),
    findSimilarNames(requested, isId ? ids : names),
    requested,
  );
}
