// What each system can do. All of it is kept in the system's own storage: what was created can be queried.

import * as z from "zod";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type Entry = { readonly [key: string]: Json };

/** The records of one system, by their id. */
export type Records = {
  get(id: string): Entry | undefined;
  put(id: string, entry: Entry): void;
  all(): Entry[];
  /** A number that this system has not given before. */
  next(): number;
};

export type SystemTool = {
  readonly description: string;
  readonly parameters: z.ZodObject;
  /** It changes nothing. */
  readonly isReading: boolean;
  run(args: unknown, records: Records): Entry;
};

function does<Shape extends z.ZodObject>(
  description: string,
  parameters: Shape,
  run: (args: z.output<Shape>, records: Records) => Entry,
  isReading = false,
): SystemTool {
  return { description, parameters, isReading, run: (args, records) => run(parameters.parse(args), records) };
}

function looksUp<Shape extends z.ZodObject>(
  description: string,
  parameters: Shape,
  find: (args: z.output<Shape>, records: Records) => Entry | undefined,
): SystemTool {
  const missing = { success: false, message: "Nothing found. 没有找到。" };
  return does(
    description,
    parameters,
    (args, records) => {
      const found = find(args, records);
      return found === undefined ? missing : { success: true, ...found };
    },
    true,
  );
}

const text = z.string().trim().min(1);
const employee = { employee_id: text, employee_name: text.optional() };

/** Somebody's record: found by id, and of nobody else's name. */
function ofEmployee(
  {
    employee_id: id,
    employee_name: name,
  }: { readonly employee_id: string; readonly employee_name?: string | undefined },
  records: Records,
): Entry | undefined {
  const found = records.all().find((entry) => entry["employee_id"] === id);
  const same = (other: Json | undefined) => String(other ?? name).toLowerCase() === name?.toLowerCase();
  return found === undefined || (name !== undefined && !same(found["employee_name"])) ? undefined : found;
}

export const SYSTEMS = {
  hr: {
    create_employee_profile: does(
      "Creates the profile of a new employee. 在HR系统中创建员工档案",
      z.object({ id: text, name: text, department: text }),
      ({ id, name, department }, records) => {
        const entry = { employee_id: id, employee_name: name, department, level: "L3" };
        records.put(id, entry);
        return { success: true, emp_id: id, level: entry.level };
      },
    ),
    query_profile: looksUp("Looks up the profile of an employee. 查询员工档案信息", z.object(employee), ofEmployee),
  },
  access: {
    grant_access: does(
      "Grants an employee access to the building. 为员工开通门禁权限",
      z.object({ emp_id: text, name: text }),
      ({ emp_id, name }, records) => {
        const card_no = `CARD${String(records.next()).padStart(3, "0")}`;
        records.put(emp_id, { employee_id: emp_id, employee_name: name, card_no });
        return { success: true, access_id: `ACC-${emp_id}`, card_no };
      },
    ),
    query_access: looksUp("Looks up which access an employee has. 查询员工的门禁权限", z.object(employee), ofEmployee),
  },
  it: {
    apply_computer: does(
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
    outbound: does(
      "Hands a computer out of the warehouse. 创建电脑出库单",
      z.object({ pc_model: text, employee_id: text.optional(), employee_name: text.optional() }),
      ({ pc_model, employee_id = "", employee_name = "" }, records) => {
        const outbound_id = `OUT${String(records.next()).padStart(3, "0")}`;
        const pc_no = `PC-${outbound_id}`;
        records.put(outbound_id, { outbound_id, pc_model, pc_no, employee_id, employee_name, status: "handed out" });
        return { success: true, outbound_id, pc_no };
      },
    ),
    check_outbound_status: looksUp(
      "Checks whether a computer was handed out. 查询电脑出库状态",
      z.object({ outbound_id: text.optional(), employee_id: text.optional(), employee_name: text.optional() }),
      ({ outbound_id, employee_id, employee_name }, records) => {
        if (outbound_id !== undefined) return records.get(outbound_id);
        return employee_id === undefined ? undefined : ofEmployee({ employee_id, employee_name }, records);
      },
    ),
  },
  email: {
    send_email: does(
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

export function toolsOf(system: SystemName): Readonly<Record<string, SystemTool>> {
  return SYSTEMS[system];
}
