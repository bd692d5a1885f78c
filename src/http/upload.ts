// Reads an uploaded table: as the request body itself, or as the file of a form (`multipart/form-data`, RFC 7578).

import { MAX_BYTES, tooManyBytes } from "../datasets/limits.ts";
import type { FileKind } from "../datasets/table.ts";
import type { Upload } from "../durable/datasets.ts";
import { MAX_DATASET_NAME } from "../protocol/dataset.ts";
import { Fault } from "../protocol/fault.ts";
import { cut } from "../protocol/shortened.ts";
import { readBytes } from "./body.ts";

/** An upload with the name that its sender gave it, if any. */
export type NamedUpload = { readonly upload: Upload; readonly name: string | undefined };

/** Additional bytes for the boundaries and other fields of a form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

const list = { type: "array", items: { type: "array", items: {} } };
const columns = { type: "array", items: { type: "string" } };
const file = { type: "string", format: "binary" };

/** The accepted bodies by media type, as described in /openapi.json. */
export const UPLOADS = {
  "text/csv": { schema: { type: "string" }, example: "class,score\nForm 1A,85\nForm 1B,72\n" },
  "application/json": {
    schema: {
      oneOf: [
        { type: "array", items: { type: "object" } },
        list,
        {
          type: "object",
          properties: {
            name: { type: "string" },
            columns,
            rows: list,
          },
          required: ["rows"],
        },
      ],
    },
    example: [
      { class: "Form 1A", score: 85 },
      { class: "Form 1B", score: 72 },
    ],
  },
  "multipart/form-data": {
    schema: { type: "object", properties: { file, name: { type: "string" } }, required: ["file"] },
    example: { file: "class,score\nForm 1A,85\n", name: "scores" },
  },
} as const;

/**
 * Reads the upload. Throws `unsupported` for other media types, `too_large`, or `invalid_request` for a form without a
 * file.
 */
export async function readUpload(request: Request): Promise<NamedUpload> {
  const header = request.headers.get("content-type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return readForm(request, header);
  const kind = kindOf(type);
  if (kind === null) {
    await request.body?.cancel();
    throw new Fault("unsupported", "Send text/csv, application/json, or a form with a file.");
  }
  const bytes = await readBytes(request, MAX_BYTES, tooManyBytes);
  return { upload: { bytes, kind, ...charsetOf(header) }, name: undefined };
}

/** Reads the fields `file` and `name`. Without a name, the name is that of the file without its extension. */
async function readForm(request: Request, type: string): Promise<NamedUpload> {
  const bytes = await readBytes(request, MAX_BYTES + FORM_OVERHEAD_BYTES, tooManyBytes);
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => null);
  if (form === null) throw new Fault("invalid_request", "The form cannot be read.");
  const file = form.get("file");
  if (!(file instanceof File)) {
    throw new Fault("invalid_request", "file: the form has to have a file of this name", { field: "file" });
  }
  const named = form.get("name");
  const kind = kindOf(file.type.split(";")[0]?.trim().toLowerCase() ?? "") ?? kindOfFile(file.name);
  if (kind === null) throw new Fault("unsupported", "The file has to be a .csv or a .json.", { field: "file" });
  const upload = { bytes: new Uint8Array(await file.arrayBuffer()), kind, ...charsetOf(file.type) };
  const title = file.name.replace(/\.[^.]*$/, "").trim();
  return {
    upload,
    name: cut(typeof named === "string" && named.trim() !== "" ? named : title, MAX_DATASET_NAME),
  };
}

/** Returns the kind of file for a media type without parameters; null if it is not supported. */
function kindOf(type: string): FileKind | null {
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return "json";
  return /^(text\/(csv|plain|tab-separated-values)|application\/(csv|vnd\.ms-excel))$/.test(type) ? "csv" : null;
}

/** Returns the kind of file for a file name; null if its extension is not supported. */
function kindOfFile(name: string): FileKind | null {
  if (/\.json$/i.test(name)) return "json";
  return /\.(csv|tsv|txt)$/i.test(name) ? "csv" : null;
}

/** Returns the `charset` parameter of a media type, if it has one. */
function charsetOf(type: string): { charset?: string } {
  const charset = /;\s*charset=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1];
  return charset === undefined ? {} : { charset };
}
