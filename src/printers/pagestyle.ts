// How a page looks: by light and in the dark, on a screen and on paper.

/** The style sheet of `-o html`. It loads nothing. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--back:#fff;--text:#1b1f24;--dim:#57606a;--line:#d0d7de;--track:#eef1f4;
--critical:#c0182c;--warning:#8a5a00;--information:#0a5fb4;--ok:#1a7f37;--now:#6b2fb3}
@media (prefers-color-scheme:dark){:root{--back:#14171c;--text:#e6e9ed;--dim:#9aa4af;--line:#39414b;--track:#232931;
--critical:#ff7b80;--warning:#e3b341;--information:#79b8ff;--ok:#56d364;--now:#d2a8ff}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:90rem;padding:1.5rem;background:var(--back);color:var(--text);
font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.25rem 0 .4rem}
h3 span,.dim{color:var(--dim);font-weight:normal}p{margin:.25rem 0}
.counts{display:flex;flex-wrap:wrap;gap:.75rem;padding:0;margin:1rem 0;list-style:none}
.counts li{border:1px solid var(--line);border-left:.35rem solid currentColor;border-radius:.3rem;padding:.35rem .9rem}
.counts b{font-size:1.4rem;margin-right:.4rem}.counts .none{color:var(--dim)}
.critical{color:var(--critical)}.warning{color:var(--warning)}.information{color:var(--information)}.ok{color:var(--ok)}
.critical b,td.critical{font-weight:600}
.lives{display:grid;grid-template-columns:fit-content(16rem) fit-content(14rem) minmax(10rem,1fr) max-content;
gap:.2rem .9rem;align-items:center}
.life,.scale{display:grid;grid-template-columns:subgrid;grid-column:1/-1;align-items:center;break-inside:avoid}
.life svg{display:block;width:100%;height:1.1rem;background:var(--track)}
.scale{color:var(--dim);font-size:.8rem}.scale div{grid-column:3;position:relative;height:1.3rem}
.scale span{position:absolute;white-space:nowrap}.scale .end{right:0}
.scale .now{transform:translateX(-50%);color:var(--now);font-weight:600}
.legend{color:var(--dim);font-size:.85rem}
.bar{fill:currentColor;opacity:.55}.half{stroke:var(--text);stroke-dasharray:3 2}.end{stroke:currentColor}
.now{stroke:var(--now)}line{vector-effect:non-scaling-stroke;stroke-width:2}
.wide{overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.3rem .8rem .3rem 0;border-bottom:1px solid var(--line)}
th{white-space:nowrap;font-size:.8rem;color:var(--dim)}tbody{break-inside:avoid}
td{overflow-wrap:break-word}td.short{white-space:nowrap}
tr:not(:last-child)>td{border-bottom:0}td.detail{padding:0 0 .5rem 1.5rem;color:var(--dim)}
.matrix{width:auto}.matrix td{text-align:center;border-bottom:1px solid var(--line)!important}
@media (max-width:45rem){.lives{grid-template-columns:1fr max-content}.life svg,.scale div{grid-column:1/-1}
.life{padding-bottom:.4rem}}
@media print{:root{color-scheme:light;--back:#fff;--text:#000;--dim:#444;--line:#bbb;--track:#f0f0f0;--critical:#b00020;
--warning:#7a4f00;--information:#0a4f96;--ok:#146b2e;--now:#5a1fa0}
body{padding:0;font-size:10pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}.wide{overflow:visible}
th,td{padding-right:.4rem}h2,h3{break-after:avoid}}
`;
