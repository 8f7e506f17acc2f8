/** Style of the report: one column on narrow screens, two on wide ones; light or dark by the system. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #24211c; --soft: #635c51; --paper: #faf8f4; --card: #fff; --line: #ddd6ca;
  --accent: #0f6cbd; --c0: #0072b2; --c1: #c24e00; --c2: #00805c; --c3: #b0558a; --c4: #9a6a00; --c5: #2a7fb8; --c6: #24211c; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7de; --soft: #b3aa9b; --paper: #191714; --card: #24211c;
  --line: #453f35; --accent: #7cc0ff; --c0: #56b4e9; --c1: #ff9a52; --c2: #2fcf9e; --c3: #e69ac6; --c4: #f0c04a;
  --c5: #9ed4f7; --c6: #ece7de; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 0.75rem 1rem 2rem;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0.5rem 0; }
h2 { font-size: 1.2rem; margin: 1.75rem 0 0.5rem; }
h3 { font-size: 1rem; margin: 0; }
h3 small, .soft { color: var(--soft); font-size: 0.875rem; font-weight: normal; }
p { margin: 0.4rem 0; }
a { color: var(--accent); }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.15rem 1rem; margin: 0.5rem 0; }
dt { color: var(--soft); } dd { margin: 0; }
.charts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
figure, .card { margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem; min-width: 0; }
.plot { position: relative; }
.plot svg { display: block; width: 100%; height: auto; }
.plot:focus-visible, button:focus-visible, select:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.plot .wide { display: none; }
.cursor { position: absolute; top: 0; bottom: 17%; width: 1px; background: var(--soft); pointer-events: none; }
.tip { position: absolute; top: 0; background: var(--paper); border: 1px solid var(--line); border-radius: 6px;
  padding: 0.25rem 0.5rem; font-size: 0.8125rem; pointer-events: none; max-width: 75%; z-index: 1; }
.tip p { margin: 0; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; padding: 0; margin: 0.25rem 0; font-size: 0.875rem; }
.legend i, .tip i { display: inline-block; width: 0.75rem; height: 0.2rem; margin-right: 0.4rem; vertical-align: middle; }
details { margin-top: 0.25rem; font-size: 0.875rem; }
summary { cursor: pointer; color: var(--soft); min-height: 1.5rem; }
.table { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.875rem; }
th, td { text-align: right; padding: 0.2rem 0.6rem; border-bottom: 1px solid var(--line); white-space: nowrap; }
th { color: var(--soft); font-weight: normal; }
th:first-child, td:first-child, .names td:nth-child(2), .names th:nth-child(2) { text-align: left; }
.settings td { text-align: left; white-space: normal; } .settings th { text-align: left; }
.game { display: grid; gap: 0.5rem; grid-template-columns: minmax(0, 1fr); }
.steps { display: flex; gap: 0.4rem; }
button, select { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  min-height: 2.5rem; max-width: 100%; }
button { flex: 1; cursor: pointer; }
#board svg { display: block; width: 100%; max-width: 34rem; height: auto; }
#board text { fill: var(--soft); } #board pre { overflow: auto; line-height: 1.15; }
@media (min-width: 37rem) { .plot .wide { display: block; } .plot .narrow { display: none; } }
@media (min-width: 60rem) { .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  .game { grid-template-columns: minmax(0, 34rem) minmax(0, 1fr); align-items: start; } }
@media print { .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); } figure { break-inside: avoid; } }
`;
