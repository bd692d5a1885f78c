import { CircleCheck, Lightbulb, TriangleAlert } from "lucide-react";
import type { PageBlock } from "../../../../protocol/pages/page.ts";
import { useMessages } from "../../../session/language.ts";
import { Markdown } from "../../../ui/markdown/markdown.tsx";
import styles from "./blocks.module.css";

type MarkdownBlock = Extract<PageBlock, { type: "markdown" }>;

const CALLOUT_VARIANTS = {
  insight: { Icon: Lightbulb, name: "calloutInsight" },
  warning: { Icon: TriangleAlert, name: "calloutWarning" },
  success: { Icon: CircleCheck, name: "calloutSuccess" },
} as const;

/** Markdown, with a heading and a frame for variants other than the default. `isStreaming`: the text is growing. */
export function Callout({
  content,
  variant,
  isStreaming = false,
}: Pick<MarkdownBlock, "content" | "variant"> & { readonly isStreaming?: boolean }) {
  const t = useMessages("blocks");
  const text = <Markdown text={content} isStreaming={isStreaming} />;
  if (variant === "default") return text;
  const { Icon, name } = CALLOUT_VARIANTS[variant];
  return (
    <div className={`${styles["callout"]} ${styles[variant]}`}>
      <p className={styles["calloutName"]}>
        <Icon size={16} aria-hidden />
        {t(name)}
      </p>
      {text}
    </div>
  );
}
