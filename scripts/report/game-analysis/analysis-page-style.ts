/**
 * Style of the page of an analysed game: one column on narrow screens, two on wide ones; light or dark by the system.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #24211c; --soft: #6b6459; --paper: #faf8f4; --card: #fff; --line: #ddd6ca;
  --accent: #0f6cbd; --blunder: #b3261e; --mistake: #b25e09; --inaccuracy: #7a6a00; --first: #3a3733; --second: #e9e3d8; }
@media (prefers-color-scheme: dark) { :root { --ink: #ece7de; --soft: #a89f90; --paper: #191714; --card: #24211c;
  --line: #403a31; --accent: #7cc0ff; --blunder: #ff8a80; --mistake: #ffb35c; --inaccuracy: #e6d45a;
  --first: #0d0c0b; --second: #cfc7b8; } }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 75rem; padding: 0.75rem 1rem 2rem;
  color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0.25rem 0; }
p { margin: 0.4rem 0; }
.soft { color: var(--soft); font-size: 0.9rem; }
main { display: grid; gap: 1rem; grid-template-columns: minmax(0, 1fr); }
#board svg { display: block; width: 100%; height: auto; border-radius: 6px; }
#board svg > rect:first-of-type { fill: var(--card); }
#board svg text { fill: var(--ink); }
#board pre { overflow: auto; padding: 0.75rem; background: var(--card); border: 1px solid var(--line); line-height: 1.15; }
.curve { position: relative; height: 130px; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  overflow: hidden; cursor: pointer; touch-action: manipulation; }
.curve svg { position: absolute; inset: 0; width: 100%; height: 100%; }
.curve .first { fill: var(--first); } .curve .second { fill: var(--second); }
.curve .zero { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
.curve .value { fill: none; stroke: var(--accent); stroke-width: 2; vector-effect: non-scaling-stroke; }
.curve i { position: absolute; width: 9px; height: 9px; margin: -4.5px; border-radius: 50%; border: 1px solid var(--card); }
.curve #here { position: absolute; top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--accent); }
i.blunder { background: var(--blunder); } i.mistake { background: var(--mistake); }
i.inaccuracy { background: var(--inaccuracy); }
.scale { display: flex; justify-content: space-between; }
.steps { display: flex; gap: 0.4rem; margin: 0.6rem 0; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  min-height: 2.5rem; cursor: pointer; }
.steps button { flex: 1; }
button:focus-visible, .curve:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
#text { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 0.5rem 0.75rem;
  min-height: 8.5rem; }
#text strong { font-size: 1.05rem; }
#text .comment { white-space: pre-line; border-left: 3px solid var(--line); padding-left: 0.6rem; }
#moves { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.6rem, 1fr)); gap: 0.25rem; max-height: 20rem;
  overflow: auto; padding: 2px; margin: 0.6rem 0; }
#moves button { text-align: left; padding: 0.1rem 0.5rem; min-height: 2.1rem; font-size: 0.9rem; white-space: nowrap; }
#moves button[aria-current] { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.blunder { color: var(--blunder); } .mistake { color: var(--mistake); } .inaccuracy { color: var(--inaccuracy); }
i.blunder, i.mistake, i.inaccuracy { color: transparent; }
table { border-collapse: collapse; font-size: 0.9rem; width: 100%; }
th, td { text-align: right; padding: 0.2rem 0.4rem; border-bottom: 1px solid var(--line); font-weight: normal; }
th:first-child, td:first-child { text-align: left; }
@media (min-width: 60rem) { main { grid-template-columns: minmax(0, 1fr) minmax(0, 30rem); align-items: start; } }
`;
