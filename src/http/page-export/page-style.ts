/** The style sheet of exported pages: light, dark and print. Its hash is part of the content security policy. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--bg:#fff;--card:#fff;--ink:#1c2330;--soft:#5b6577;--line:#dfe3ea;--grid:#e8ebf0;--warn:#8a5a00;--warnbg:#fff4d6;--good:#17693a;--goodbg:#e2f5e8;--bad:#a1232b;--badbg:#fde8e8;--note:#1d4ed8;--notebg:#e9f0ff;
--c0:#2f6fde;--c1:#d9662b;--c2:#2a9d6f;--c3:#9a5bd0;--c4:#c9a000;--c5:#d0457f;--c6:#2497b3;--c7:#6b7280}
@media (prefers-color-scheme:dark){:root{--bg:#12161d;--card:#1a1f29;--ink:#e8ebf1;--soft:#a0a9b8;--line:#303746;--grid:#2a303c;--warn:#f3c969;--warnbg:#3a2e10;--good:#7fd6a0;--goodbg:#12321f;--bad:#f29ca2;--badbg:#3d181b;--note:#9dbcff;--notebg:#17264a;
--c0:#6ea0ff;--c1:#f28c55;--c2:#54c795;--c3:#bd8df0;--c4:#e5c341;--c5:#f07fae;--c6:#5cc3dd;--c7:#9aa3b2}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:2rem 1.25rem 4rem;background:var(--bg);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.25;margin:0 0 .5rem}h2{break-after:avoid;font-size:1.25rem;margin:2.25rem 0 .75rem;padding-bottom:.35rem;border-bottom:1px solid var(--line)}h3{font-size:1.05rem;margin:0 0 .75rem}h4,h5{margin:1rem 0 .4rem;font-size:1rem}
header p{margin:.25rem 0}.facts{color:var(--soft);font-size:.875rem}
.block{margin:1rem 0;padding:1.1rem 1.25rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card);break-inside:avoid}
.prose>:first-child{margin-top:0}.prose>:last-child{margin-bottom:0}.prose h3{margin:1.1rem 0 .4rem}
.markdown:has(.insight),.markdown:has(.warning),.markdown:has(.success){border-left-width:.3rem}
.markdown:has(.insight){border-left-color:var(--note)}.markdown:has(.warning){border-left-color:var(--warn)}.markdown:has(.success){border-left-color:var(--good)}
.kpi_grid{padding:0;border:0;background:none}
.kpis{display:grid;grid-template-columns:repeat(auto-fit,minmax(10rem,1fr));gap:.75rem;margin:0}
.kpi{padding:1rem 1.1rem;border:1px solid var(--line);border-radius:.75rem;background:var(--card)}.kpi dt{color:var(--soft);font-size:.875rem}.kpi dd{margin:0}.kpi b{display:block;font-size:1.6rem;line-height:1.3}.kpi span{font-size:.85rem;color:var(--soft)}.kpi.up span{color:var(--good)}.kpi.down span{color:var(--bad)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.925rem}th,td{padding:.45rem .7rem;text-align:left;border-bottom:1px solid var(--line)}thead th{color:var(--soft);font-weight:600;white-space:nowrap}th[scope=row]{font-weight:400}thead .number,.number{text-align:right;font-variant-numeric:tabular-nums}
tr.warning td,td.warning{background:var(--warnbg);color:var(--warn)}tr.success td,td.success{background:var(--goodbg);color:var(--good)}tr.error td,td.error{background:var(--badbg);color:var(--bad)}
svg{display:block;width:100%;height:auto;max-height:24rem}svg text{fill:var(--soft);font-size:12px;font-family:inherit}svg text.on{fill:#fff;font-weight:600}svg text.big{fill:var(--ink);font-size:44px;font-weight:700}svg text.tick{font-size:10px}
.grid{stroke:var(--grid);fill:none}.zero{stroke:var(--soft)}
${Array.from({ length: 8 }, (_, i) => `.c${i}{fill:var(--c${i});stroke:var(--c${i})}`).join("")}
rect[class^=c],.slice path{stroke:none}.slice path{stroke:var(--card);stroke-width:2}polyline{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}.area polygon{fill-opacity:.18;stroke-width:2}.arc{fill:none;stroke-width:22;stroke-linecap:butt}.rest .arc{stroke:var(--grid)}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1rem;justify-content:center;margin:.5rem 0 0;padding:0;list-style:none;font-size:.875rem;color:var(--soft)}.legend li{display:flex;align-items:center;gap:.4rem}.key{width:.75rem;height:.75rem;flex:none}
details{margin-top:.75rem;font-size:.925rem}summary{cursor:pointer;color:var(--soft);font-size:.85rem}
.suggestions,.questions{margin:0;padding-left:1.25rem}.suggestions li,.questions>li{margin:.6rem 0;break-inside:avoid}.suggestions{list-style:none;padding:0}.suggestions li{padding-left:.9rem;border-left:.25rem solid var(--line)}.suggestions .high{border-color:var(--bad)}.suggestions .medium{border-color:var(--warn)}.suggestions .low{border-color:var(--good)}
.options{list-style:upper-alpha;margin:.4rem 0}.tag{display:inline-block;padding:0 .5rem;border:1px solid var(--line);border-radius:1rem;color:var(--soft);font-size:.78rem}
.doubt{margin:.75rem 0 0;padding:.4rem .7rem;border-radius:.4rem;background:var(--warnbg);color:var(--warn);font-size:.85rem}
blockquote{margin:.75rem 0;padding-left:1rem;border-left:.25rem solid var(--line);color:var(--soft)}code,pre{font-family:ui-monospace,Consolas,monospace;font-size:.9em}pre{overflow-x:auto;padding:.75rem;border-radius:.5rem;background:var(--grid)}hr{border:0;border-top:1px solid var(--line)}
@media print{:root{color-scheme:light;--bg:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#ccc;--grid:#ddd;--warn:#6b4500;--good:#0f5a2e;--bad:#8a1a22;--c0:#2f6fde;--c1:#d9662b;--c2:#2a9d6f;--c3:#9a5bd0;--c4:#c9a000;--c5:#d0457f;--c6:#2497b3;--c7:#6b7280}body{max-width:none;padding:0;font-size:11pt}.scroll{overflow:visible}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`.trim();
