// The built-in sample classroom: one teacher, two classes, six assignments.

export type Student = { readonly student_id: string; readonly name: string; readonly number: number };
export type Assignment = {
  readonly assignment_id: string;
  readonly title: string;
  readonly type: "exam" | "homework";
  readonly max_score: number;
  readonly due_date: string;
  /** In the order of `students`; null if a student handed in nothing. */
  readonly scores: readonly (number | null)[];
};
export type Classroom = {
  readonly class_id: string;
  readonly name: string;
  readonly grade: string;
  readonly subject: string;
  readonly students: readonly Student[];
  /** The last assignment first. */
  readonly assignments: readonly Assignment[];
};
export type Teacher = { readonly teacher_id: string; readonly name: string; readonly classes: readonly Classroom[] };

const createStudents = (first: number, names: readonly string[]): Student[] =>
  names.map((name, i) => ({ student_id: `s-${String(first + i).padStart(3, "0")}`, name, number: i + 1 }));

const unit5 = { title: "Unit 5 Test", type: "exam", max_score: 100, due_date: "2026-10-30" } as const;
const essay = { title: "Essay Writing", type: "homework", max_score: 50, due_date: "2026-10-16" } as const;
const unit4 = { title: "Unit 4 Test", type: "exam", max_score: 100, due_date: "2026-09-25" } as const;

export const TEACHERS: readonly Teacher[] = [
  {
    teacher_id: "t-001",
    name: "Ms. Chan",
    classes: [
      {
        class_id: "class-hk-f1a",
        name: "Form 1A",
        grade: "Form 1",
        subject: "English",
        students: createStudents(1, ["Au Ka Yan", "Cheng Wing Lam", "Fung Chi Hang", "Ho Sze Wai", "Kwok Tsz Kin"]),
        assignments: [
          { assignment_id: "a-001", ...unit5, scores: [58, 85, 72, 91, 65] },
          { assignment_id: "a-002", ...essay, scores: [32, 45, 38, 47, 35] },
          { assignment_id: "a-004", ...unit4, scores: [52, 81, 70, 88, 69] },
        ],
      },
      {
        class_id: "class-hk-f1b",
        name: "Form 1B",
        grade: "Form 1",
        subject: "English",
        students: createStudents(6, [
          "Lau Hiu Tung",
          "Leung Yat Long",
          "Mak Cho Yee",
          "Ng Pui Shan",
          "Tam Wai Ho",
          "Yeung Kit",
        ]),
        assignments: [
          { assignment_id: "a-003", ...unit5, scores: [67, 74, 49, 82, 90, 55] },
          { assignment_id: "a-005", ...essay, scores: [33, 41, 28, null, 46, 30] },
          { assignment_id: "a-006", ...unit4, scores: [71, 69, 54, 80, 86, 60] },
        ],
      },
    ],
  },
];

/** A row of a sample table. */
export type SampleRow = Readonly<Record<string, string | number | null>>;

/** Returns the classroom as flat tables by dataset name: classes, students, assignments and scores. */
export function createSampleTables(): Readonly<Record<string, readonly SampleRow[]>> {
  const [classes, students, assignments, scores]: SampleRow[][] = [[], [], [], []];
  for (const teacher of TEACHERS) {
    for (const { class_id, name: className, grade, subject, ...room } of teacher.classes) {
      classes?.push({
        class_id,
        class: className,
        grade,
        subject,
        teacher: teacher.name,
        students: room.students.length,
      });
      for (const { student_id, name, number } of room.students) {
        students?.push({ student_id, student: name, number, class_id, class: className });
      }
      for (const { assignment_id, title, type, max_score, due_date, scores: given } of room.assignments) {
        assignments?.push({ assignment_id, assignment: title, type, max_score, due_date, class_id, class: className });
        for (const [i, score] of given.entries()) {
          const { student_id = "", name = "" } = room.students[i] ?? {};
          const of = { student_id, student: name, class: className };
          scores?.push({ ...of, assignment_id, assignment: title, due_date, score, max_score });
        }
      }
    }
  }
  return { classes: classes ?? [], students: students ?? [], assignments: assignments ?? [], scores: scores ?? [] };
}
