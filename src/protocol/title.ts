import * as z from "zod";

/** What somebody calls something: without blanks around it, in at most 200 characters. */
export const titleSchema = z.string().trim().min(1).max(200);
