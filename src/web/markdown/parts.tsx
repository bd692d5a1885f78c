// The components for Markdown elements.

import type { ReactNode } from "react";
import type { Components, ExtraProps } from "react-markdown";
import { useWords } from "../language.ts";
import { Copy } from "../ui/copy.tsx";
import { destinationOf, pictureOf } from "./addresses.ts";
import { plainly } from "../../protocol/visible.ts";
import styles from "./markdown.module.css";
import { WORDS } from "./words.ts";

type Element = NonNullable<ExtraProps["node"]>;
type Node = Element["children"][number];

export const PARTS: Components = {
  a: ({ href = "", children, node }) => (
    <Link href={href} text={textOf(node)}>
      {children}
    </Link>
  ),
  img: ({ src, alt = "" }) => <Picture src={typeof src === "string" ? src : ""} alt={alt} />,
  pre: ({ children, node, dir }) => (
    <Code node={node} dir={dir}>
      {children}
    </Code>
  ),
  table: ({ children, dir }) => <Table dir={dir}>{children}</Table>,
  th: ({ children, node, dir }) => (
    <th className={alignOf(node)} dir={dir}>
      {children}
    </th>
  ),
  td: ({ children, node, dir }) => (
    <td className={alignOf(node)} dir={dir}>
      {children}
    </td>
  ),
  input: ({ checked }) => <Tick isDone={checked === true} />,
};

function Link({
  href,
  text,
  children,
}: {
  readonly href: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  if (href.startsWith("#note-")) return <a href={href}>{children}</a>;
  const destination = destinationOf(href, text);
  if (destination === null) return <>{children}</>;
  const isPlain = plainly(text) === text;
  return (
    <>
      <a href={destination.href} target="_blank" rel="noopener noreferrer nofollow">
        {isPlain ? children : plainly(text)}
      </a>
      {destination.host === null ? null : <span className={styles["host"]}> ({destination.host})</span>}
    </>
  );
}

function Picture({ src, alt }: { readonly src: string; readonly alt: string }) {
  const say = useWords(WORDS);
  const picture = pictureOf(src);
  if (picture !== null)
    return <img className={styles["picture"]} src={picture} alt={alt} loading="lazy" referrerPolicy="no-referrer" />;
  const destination = destinationOf(src, "");
  const name = say("picture", { name: plainly(alt) });
  if (destination === null) return <>{name}</>;
  const host = URL.canParse(destination.href) ? new URL(destination.href).host : "";
  return (
    <a href={destination.href} target="_blank" rel="noopener noreferrer nofollow">
      {name} ({host})
    </a>
  );
}

function Code({
  node,
  dir,
  children,
}: {
  readonly node: Element | undefined;
  readonly dir: string | undefined;
  readonly children: ReactNode;
}) {
  const say = useWords(WORDS);
  const text = textOf(node);
  const language = languageOf(node);
  return (
    <div className={styles["code"]} dir={dir}>
      <div className={styles["bar"]}>
        <span>{language ?? say("code")}</span>
        <Copy text={text} label={say("copyCode")} />
      </div>
      {/* Scrollable content must be reachable by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre tabIndex={0} role="region" aria-label={language ?? say("code")}>
        {children}
      </pre>
    </div>
  );
}

function Table({ dir, children }: { readonly dir: string | undefined; readonly children: ReactNode }) {
  const say = useWords(WORDS);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles["wide"]} dir={dir} role="region" tabIndex={0} aria-label={say("table")}>
      <table>{children}</table>
    </div>
  );
}

function Tick({ isDone }: { readonly isDone: boolean }) {
  const say = useWords(WORDS);
  return <input type="checkbox" checked={isDone} disabled readOnly aria-label={say(isDone ? "done" : "open")} />;
}

function alignOf(node: Element | undefined): string | undefined {
  const align = node?.properties["align"];
  return align === "center" || align === "right" ? styles[align] : undefined;
}

function languageOf(node: Element | undefined): string | undefined {
  const [code] = node?.children ?? [];
  const classes = code?.type === "element" ? code.properties["className"] : undefined;
  const found = Array.isArray(classes) ? classes.map(String).find((name) => name.startsWith("language-")) : undefined;
  return found?.slice("language-".length);
}

function textOf(node: Node | undefined): string {
  if (node?.type === "text") return node.value;
  return node?.type === "element" ? node.children.map(textOf).join("") : "";
}
