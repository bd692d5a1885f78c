// The components for Markdown elements.

import type { ReactNode } from "react";
import type { Components, ExtraProps } from "react-markdown";
import { useMessages } from "../../session/language.ts";
import { CopyButton } from "../button.tsx";
import { resolveLink, resolveImage } from "./link-destinations.ts";
import { escapeHiddenControls } from "../../../lib/escape-invisible.ts";
import styles from "./markdown.module.css";

type MarkdownElement = NonNullable<ExtraProps["node"]>;
type MarkdownNode = MarkdownElement["children"][number];

export const MARKDOWN_COMPONENTS: Components = {
  a: ({ href = "", children, node }) => (
    <MarkdownLink href={href} text={getNodeText(node)}>
      {children}
    </MarkdownLink>
  ),
  img: ({ src, alt = "" }) => <MarkdownImage src={typeof src === "string" ? src : ""} alt={alt} />,
  pre: ({ children, node, dir }) => (
    <MarkdownCode node={node} dir={dir}>
      {children}
    </MarkdownCode>
  ),
  table: ({ children, dir }) => <MarkdownTable dir={dir}>{children}</MarkdownTable>,
  th: ({ children, node, dir }) => (
    <th className={getAlignClass(node)} dir={dir}>
      {children}
    </th>
  ),
  td: ({ children, node, dir }) => (
    <td className={getAlignClass(node)} dir={dir}>
      {children}
    </td>
  ),
  input: ({ checked }) => <TaskCheckbox isDone={checked === true} />,
};

function MarkdownLink({
  href,
  text,
  children,
}: {
  readonly href: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  if (href.startsWith("#note-")) return <a href={href}>{children}</a>;
  const destination = resolveLink(href, text);
  if (destination === null) return <>{children}</>;
  const isPlain = escapeHiddenControls(text) === text;
  return (
    <>
      <a href={destination.href} target="_blank" rel="noopener noreferrer nofollow">
        {isPlain ? children : escapeHiddenControls(text)}
      </a>
      {destination.host === null ? null : <span className={styles["host"]}> ({destination.host})</span>}
    </>
  );
}

function MarkdownImage({ src, alt }: { readonly src: string; readonly alt: string }) {
  const t = useMessages("markdown");
  const picture = resolveImage(src);
  if (picture !== null)
    return <img className={styles["picture"]} src={picture} alt={alt} loading="lazy" referrerPolicy="no-referrer" />;
  const destination = resolveLink(src, "");
  const name = t("image", { name: escapeHiddenControls(alt) });
  if (destination === null) return <>{name}</>;
  const host = URL.canParse(destination.href) ? new URL(destination.href).host : "";
  return (
    <a href={destination.href} target="_blank" rel="noopener noreferrer nofollow">
      {name} ({host})
    </a>
  );
}

function MarkdownCode({
  node,
  dir,
  children,
}: {
  readonly node: MarkdownElement | undefined;
  readonly dir: string | undefined;
  readonly children: ReactNode;
}) {
  const t = useMessages("markdown");
  const text = getNodeText(node);
  const language = getCodeLanguage(node);
  return (
    <div className={styles["code"]} dir={dir}>
      <div className={styles["bar"]}>
        <span>{language ?? t("code")}</span>
        <CopyButton text={text} label={t("copyCode")} />
      </div>
      {/* Scrollable content must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={language ?? t("code")}>
        {children}
      </pre>
    </div>
  );
}

function MarkdownTable({ dir, children }: { readonly dir: string | undefined; readonly children: ReactNode }) {
  const t = useMessages("markdown");
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["wide"]} dir={dir} role="region" tabIndex={0} aria-label={t("table")}>
      <table>{children}</table>
    </div>
  );
}

function TaskCheckbox({ isDone }: { readonly isDone: boolean }) {
  const t = useMessages("markdown");
  return <input type="checkbox" checked={isDone} disabled readOnly aria-label={t(isDone ? "done" : "open")} />;
}

function getAlignClass(node: MarkdownElement | undefined): string | undefined {
  const align = node?.properties["align"];
  return align === "center" || align === "right" ? styles[align] : undefined;
}

function getCodeLanguage(node: MarkdownElement | undefined): string | undefined {
  const [code] = node?.children ?? [];
  const classes = code?.type === "element" ? code.properties["className"] : undefined;
  const found = Array.isArray(classes) ? classes.map(String).find((name) => name.startsWith("language-")) : undefined;
  return found?.slice("language-".length);
}

function getNodeText(node: MarkdownNode | undefined): string {
  if (node?.type === "text") return node.value;
  return node?.type === "element" ? node.children.map(getNodeText).join("") : "";
}
