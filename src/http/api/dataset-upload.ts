// Reads an uploaded table: as the request body itself, or as the file of a form (`multipart/form-data`, RFC 7578).

import { MAX_DATASET_BYTES, createTooManyBytesFault } from "../../datasets/dataset-limits.ts";
import type { TableFileKind } from "../../datasets/parse-table.ts";
import type { DatasetUpload } from "../../durable/library/dataset-catalog.ts";
import { MAX_DATASET_NAME } from "../../protocol/datasets/dataset.ts";
import { parseAcceptLanguage } from "../../language/accept-language.ts";
import type { Language } from "../../language/detect-language.ts";
import { createFault } from "../../protocol/wire/message-error.ts";
import { toVisibleLine } from "../../lib/visible-text.ts";
import { truncate } from "../../lib/truncate.ts";
import { readBodyBytes } from "../request-body.ts";

/** An upload with the name that its sender gave it, if any. */
export type NamedUpload = { readonly upload: DatasetUpload; readonly name: string | undefined };

/** Additional bytes for the boundaries and other fields of a form. */
const FORM_OVERHEAD_BYTES = 64 * 1024;

const rowsSchema = { type: "array", items: { type: "array", items: {} } };
const columns = { type: "array", items: { type: "string" } };
const file = { type: "string", format: "binary" };

/** The accepted bodies by media type, as described in /openapi.json. */
export const UPLOAD_FORMATS = {
  "text/csv": { schema: { type: "string" }, example: "class,score\nForm 1A,85\nForm 1B,72\n" },
  "application/json": {
    schema: {
      oneOf: [
        { type: "array", items: { type: "object" } },
        rowsSchema,
        {
          type: "object",
          properties: {
            name: { type: "string" },
            columns,
            rows: rowsSchema,
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
 * Reads the upload: CSV, JSON, or a form with one such file. Throws `unsupported` for other media types, `too_large`,
 * or `invalid_request` for a form without a file.
 */
export async function readUpload(request: Request): Promise<NamedUpload> {
  const header = request.headers.get("content-type") ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase() ?? "";
  if (type === "multipart/form-data") return readFormUpload(request, header);
  const kind = detectFileKind(type);
  if (kind === null) {
    await request.body?.cancel();
    throw createFault("unsupported", "dataset.unsupportedType");
  }
  const bytes = await readBodyBytes(request, MAX_DATASET_BYTES, createTooManyBytesFault);
  return { upload: { bytes, kind, ...parseCharset(header), language: readLanguage(request) }, name: undefined };
}

/** Reads the fields `file` and `name`. Without a name, the name is that of the file without its extension. */
async function readFormUpload(request: Request, type: string): Promise<NamedUpload> {
  const bytes = await readBodyBytes(request, MAX_DATASET_BYTES + FORM_OVERHEAD_BYTES, createTooManyBytesFault);
  const form = await new Response(bytes, { headers: { "content-type": type } }).formData().catch(() => null);
  if (form === null) throw createFault("invalid_request", "dataset.invalidForm");
  const file = form.get("file");
  if (!(file instanceof File)) {
    throw createFault("invalid_request", "dataset.fileMissing", { field: "file" });
  }
  const formName = form.get("name");
  const kind = detectFileKind(file.type.split(";")[0]?.trim().toLowerCase() ?? "") ?? detectKindFromName(file.name);
  if (kind === null) throw createFault("unsupported", "dataset.unsupportedFile", { field: "file" });
  const upload = {
    bytes: new Uint8Array(await file.arrayBuffer()),
    kind,
    ...parseCharset(file.type),
    language: readLanguage(request),
  };
  const named = toVisibleLine(typeof formName === "string" ? formName : "");
  return {
    upload,
    name: truncate(named === "" ? toVisibleLine(file.name.replace(/\.[^.]*$/, "")) : named, MAX_DATASET_NAME),
  };
}

/** Returns the language of the notes about the file. */
function readLanguage({ headers }: Request): Language {
  return parseAcceptLanguage(headers.get("accept-language"));
}

/** Returns the kind of file for a media type without parameters; null if it is not supported. */
function detectFileKind(type: string): TableFileKind | null {
  if (/^application\/([\w.-]+\+)?json$/.test(type)) return "json";
  return /^(text\/(csv|plain|tab-separated-values)|application\/(csv|vnd\.ms-excel))$/.test(type) ? "csv" : null;
}

/** Returns the kind of file for a file name; null if its extension is not supported. */
function detectKindFromName(name: string): TableFileKind | null {
  if (/\.json$/i.test(name)) return "json";
  return /\.(csv|tsv|txt)$/i.test(name) ? "csv" : null;
}

/** Returns the `charset` parameter of a media type, if it has one. */
function parseCharset(type: string): { charset?: string } {
  const charset = /;\s*charset=\s*"?([\w.:-]{1,40})/i.exec(type)?.[1];
  return charset === undefined ? {} : { charset };
}
