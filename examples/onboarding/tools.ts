// The tools of the systems. They store their records in the storage of the system, where other tools can query them.

import * as z from "zod";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type ToolData = { readonly [key: string]: Json };

/** The records of one system, by their id. */
export type Records = {
  get(id: string): ToolData | undefined;
  put(id: string, entry: ToolData): void;
  all(): ToolData[];
  /** Returns the next number of a sequence. */
  next(): number;
};

export type SystemTool = {
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** The tool changes nothing. */
  readonly isReading: boolean;
  run(args: unknown, records: Records): ToolData;
};

function createTool<Shape extends z.ZodObject>(
  description: string,
  parameters: Shape,
  run: (args: z.output<Shape>, records: Records) => ToolData,
  isReading = false,
): SystemTool {
  return { description, parameters, isReading, run: (args, records) => run(parameters.parse(args), records) };
}

function createLookup<Shape extends z.ZodObject>(
  description: string,
  parameters: Shape,
  find: (args: z.output<Shape>, records: Records) => ToolData | undefined,
): SystemTool {
  const notFound = { success: false, message: "Not found. 没有找到。" };
  return createTool(
    description,
    parameters,
    (args, records) => {
      const found = find(args, records);
      return found === undefined ? notFound : { success: true, ...found };
    },
    true,
  );
}

const text = z.string().trim().min(1);
const employee = { employee_id: text, employee_name: text.optional() };

/** Finds the record of an employee by id. If a name is given, it must match. */
function findByEmployee(
  {
    employee_id: id,
    employee_name: name,
  }: { readonly employee_id: string; readonly employee_name?: string | undefined },
  records: Records,
): ToolData | undefined {
  const found = records.all().find((entry) => entry["employee_id"] === id);
  const isSameName = (candidate: Json | undefined) => String(candidate ?? name).toLowerCase() === name?.toLowerCase();
  return found === undefined || (name !== undefined && !isSameName(found["employee_name"])) ? undefined : found;
}

export const SYSTEMS = {
  hr: {
    create_employee_profile: createTool(
      "Creates the profile of a new employee. 在HR系统中创建员工档案",
      z.object({ id: text, name: text, department: text }),
      ({ id, name, department }, records) => {
        const entry = { employee_id: id, employee_name: name, department, level: "L3" };
        records.put(id, entry);
        return { success: true, emp_id: id, level: entry.level };
      },
    ),
    query_profile: createLookup(
      "Looks up the profile of an employee. 查询员工档案信息",
      z.object(employee),
      findByEmployee,
    ),
  },
  access: {
    grant_access: createTool(
      "Grants an employee access to the building. 为员工开通门禁权限",
      z.object({ emp_id: text, name: text }),
      ({ emp_id, name }, records) => {
        const card_no = `CARD${String(records.next()).padStart(3, "0")}`;
        records.put(emp_id, { employee_id: emp_id, employee_name: name, card_no });
        return { success: true, access_id: `ACC-${emp_id}`, card_no };
      },
    ),
    query_access: createLookup(
      "Looks up which access an employee has. 查询员工的门禁权限",
      z.object(employee),
      findByEmployee,
    ),
  },
  it: {
    apply_computer: createTool(
      "Applies for a computer that suits the level of an employee. 按员工级别申请电脑",
      z.object({ emp_id: text, level: text }),
      ({ emp_id, level }, records) => {
        const request_id = `REQ${String(records.next()).padStart(3, "0")}`;
        const pc_model = /[4-9]/.test(level) ? "ThinkPad P16" : "ThinkPad X1";
        records.put(request_id, { employee_id: emp_id, level, pc_model });
        return { success: true, pc_model, request_id };
      },
    ),
  },
  inventory: {
    outbound: createTool(
      "Issues a computer from the warehouse. 创建电脑出库单",
      z.object({ pc_model: text, employee_id: text.optional(), employee_name: text.optional() }),
      ({ pc_model, employee_id = "", employee_name = "" }, records) => {
        const outbound_id = `OUT${String(records.next()).padStart(3, "0")}`;
        const pc_no = `PC-${outbound_id}`;
        records.put(outbound_id, { outbound_id, pc_model, pc_no, employee_id, employee_name, status: "handed out" });
        return { success: true, outbound_id, pc_no };
      },
    ),
    check_outbound_status: createLookup(
      "Checks whether a computer was issued. 查询电脑出库状态",
      z.object({ outbound_id: text.optional(), employee_id: text.optional(), employee_name: text.optional() }),
      ({ outbound_id, employee_id, employee_name }, records) => {
        if (outbound_id !== undefined) return records.get(outbound_id);
        return employee_id === undefined ? undefined : findByEmployee({ employee_id, employee_name }, records);
      },
    ),
  },
  email: {
    send_email: createTool(
      "Sends an email. 发送电子邮件",
      z.object({ to: z.email(), subject: text, body: text }),
      ({ to, subject, body }, records) => {
        const message_id = `MSG${String(records.next()).padStart(3, "0")}`;
        records.put(message_id, { to, subject, body });
        return { success: true, message_id };
      },
    ),
  },
} as const satisfies Record<string, Record<string, SystemTool>>;

export type SystemName = keyof typeof SYSTEMS;

export function getTools(system: SystemName): Readonly<Record<string, SystemTool>> {
  return SYSTEMS[system];
}
