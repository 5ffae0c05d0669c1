/** The look of the console: light and dark, down to the width of a phone. Served as a file of its own. */
export const consoleStyle = `
:root { color-scheme: light dark; --paper: #f5f7f9; --card: #ffffff; --ink: #18212d; --soft: #586577; --line: #d5dce4;
  --brand: #0b4f6c; --brand-ink: #ffffff; --link: #0a5c80; --good: #1a6e3a; --good-paper: #e3f4e8; --warn: #8a5300;
  --warn-paper: #fdf0d9; --bad: #a31527; --bad-paper: #fde8ea; --note-paper: #e6f1f7; --code-paper: #f0f3f6;
  --mark: #fff1a8; --row: 2.25rem; }
@media (prefers-color-scheme: dark) { :root { --paper: #10161d; --card: #18212b; --ink: #e4eaf1; --soft: #9aa8b8;
  --line: #303c49; --brand: #0d3c52; --brand-ink: #e9f5fb; --link: #7cc7ea; --good: #6fd394; --good-paper: #12301f;
  --warn: #f0bc66; --warn-paper: #35280f; --bad: #ff9aa5; --bad-paper: #3b1720; --note-paper: #13303f;
  --code-paper: #111921; --mark: #5c4d00; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 0.9375rem/1.5 system-ui, "Segoe UI", sans-serif; }
a { color: var(--link); }
:focus-visible { outline: 3px solid #c77700; outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--card); padding: 0.4rem 0.8rem; z-index: 5; }
.top { background: var(--brand); color: var(--brand-ink); display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem;
  align-items: center; padding: 0.6rem 1.25rem; }
.top :focus-visible { outline-color: #ffc46b; }
.top strong { font-size: 1.0625rem; }
.top nav { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.top nav a { color: inherit; text-decoration: none; padding: 0.3rem 0.8rem; border-radius: 1rem; }
.top nav a:hover { background: rgb(255 255 255 / 15%); }
.top nav a[aria-current] { background: rgb(255 255 255 / 22%); font-weight: 600; }
.top .where { margin-left: auto; font: 0.8125rem ui-monospace, monospace; opacity: 0.9; overflow-wrap: anywhere; }
.live { display: inline-flex; align-items: center; gap: 0.4rem; font-size: 0.8125rem; }
.live::before { content: ""; width: 0.6rem; height: 0.6rem; border-radius: 50%; background: #8d99a6; }
.live[data-live="yes"]::before { background: #4cd07d; }
main { max-width: 84rem; margin: 0 auto; padding: 1.1rem 1.25rem 3rem; }
h1 { font-size: 1.25rem; line-height: 1.35; margin: 0 0 0.75rem; overflow-wrap: anywhere; }
h2 { font-size: 1.0625rem; margin: 0 0 0.6rem; }
h3 { font-size: 0.9375rem; margin: 0 0 0.25rem; }
p { margin: 0 0 0.75rem; max-width: 75ch; overflow-wrap: anywhere; }
p.small { max-width: 95ch; }
code, pre, kbd { font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 0.84375rem; }
pre { margin: 0; padding: 0.7rem 0.85rem; background: var(--code-paper); border: 1px solid var(--line);
  border-radius: 0.4rem; overflow: auto; max-height: 34rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 0.6rem; padding: 1rem 1.15rem;
  margin: 0 0 1rem; min-width: 0; }
.soft { color: var(--soft); }
.small { font-size: 0.84375rem; }
.badge { display: inline-block; white-space: nowrap; min-width: 2.6rem; text-align: center; padding: 0.02rem 0.5rem; border-radius: 0.8rem;
  font-weight: 600; font-size: 0.84375rem; background: var(--note-paper); color: var(--link); }
.s2, .ok { background: var(--good-paper); color: var(--good); }
.s3 { background: var(--note-paper); color: var(--link); }
.s4, .must { background: var(--warn-paper); color: var(--warn); }
.s5, .no { background: var(--bad-paper); color: var(--bad); }
.filters { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: end; margin: 0 0 0.8rem; }
.filters input, .filters select, .filters button { height: 2.25rem; }
.filters output, .filters #count { line-height: 2.25rem; }
.filters label, .field label { display: grid; gap: 0.15rem; font-size: 0.8125rem; color: var(--soft); }
input, select, textarea { font: inherit; color: var(--ink); background: var(--card); border: 1px solid #8593a2;
  border-radius: 0.35rem; padding: 0.35rem 0.55rem; min-width: 0; max-width: 100%; }
::placeholder { color: var(--soft); opacity: 1; }
button, .button { font: inherit; font-weight: 600; color: var(--brand-ink); background: var(--brand);
  border: 1px solid transparent; border-radius: 0.35rem; padding: 0.38rem 0.9rem; cursor: pointer; text-decoration: none;
  display: inline-block; }
button:hover, .button:hover { filter: brightness(1.15); }
button.second, .button.second { background: transparent; color: var(--link); border-color: #8593a2; }
button[disabled] { opacity: 0.55; cursor: default; }
.actions { display: flex; flex-wrap: wrap; gap: 0.6rem; margin: 0 0 1rem; align-items: center; }
.list { position: relative; overflow: auto; height: calc(100vh - 13.5rem); min-height: 16rem; background: var(--card);
  border: 1px solid var(--line); border-radius: 0.6rem; }
.list .rows { position: relative; }
.row { display: grid; grid-template-columns: 2.8rem 6.3rem 3rem 3.6rem minmax(14rem, 5fr) minmax(11rem, 4fr) 7rem 7rem;
  gap: 0.7rem; font-size: 0.875rem; align-items: center; height: var(--row); padding: 0 0.9rem; border-bottom: 1px solid var(--line);
  color: inherit; text-decoration: none; }
.row > * { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
a.row:hover, a.row:focus-visible { background: var(--note-paper); outline-offset: -3px; }
.row.head { position: sticky; top: 0; z-index: 1; background: var(--card); font-size: 0.8125rem; font-weight: 600;
  color: var(--soft); }
.rows .row { position: absolute; left: 0; right: 0; }
.rows.plain .row { position: static; }
.empty { padding: 2rem 1.2rem; }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1.1rem; margin: 0 0 0.9rem; }
dl.facts dt { color: var(--soft); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.7rem 0.3rem 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { font-weight: 600; color: var(--soft); font-size: 0.8125rem; }
table.headers th, table.headers td { color: inherit; font: 0.84375rem/1.45 ui-monospace, monospace; }
table.headers th { width: 15rem; font-weight: 600; }
.two { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem; }
.verdict { border-left: 5px solid var(--good); background: var(--good-paper); padding: 0.7rem 0.95rem; margin: 0 0 1rem;
  border-radius: 0 0.4rem 0.4rem 0; }
.verdict.bad { border-color: var(--bad); background: var(--bad-paper); }
.verdict p { margin: 0; }
ol.refusals, ul.plain { list-style: none; margin: 0; padding: 0; }
ol.refusals > li { padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
ol.refusals > li:last-child { border: 0; padding-bottom: 0; }
ol.refusals p { margin: 0.15rem 0 0; }
ol.refusals p, .verdict p { max-width: none; }
.signing { display: grid; grid-template-columns: max-content minmax(0, 1fr); margin: 0; padding: 0.5rem 0; list-style: none;
  background: var(--code-paper); border: 1px solid var(--line); border-radius: 0.4rem;
  font: 0.84375rem/1.6 ui-monospace, monospace; }
.signing > li { display: contents; }
.signing .n { color: var(--soft); padding: 0 0.75rem; user-select: none; text-align: right; }
.signing .t { overflow-wrap: anywhere; padding-right: 0.75rem; }
mark { background: var(--mark); color: inherit; border-radius: 0.15rem; padding: 0.1rem 0; }
.strings { margin: 0.9rem 0 0.4rem; }
table + details { margin-top: 0.8rem; }
details > summary { cursor: pointer; font-weight: 600; margin: 0 0 0.5rem; }
.journeys { list-style: none; margin: 0; padding: 0; display: grid; gap: 0.6rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); }
.journeys > li:has(details[open]) { grid-column: 1 / -1; }
.journeys > li { background: var(--card); border: 1px solid var(--line); border-left: 5px solid #8593a2;
  border-radius: 0.4rem; padding: 0.7rem 1rem; }
.journeys > li.complete { border-left-color: var(--good); }
.journeys > li.due { border-left-color: #c77700; }
.journeys p { margin: 0.15rem 0 0.35rem; }
.steps { margin: 0.4rem 0 0; padding-left: 1.3rem; }
.steps li { margin: 0 0 0.5rem; }
progress { display: block; width: 100%; height: 0.7rem; margin: 0 0 0.6rem; appearance: none; border: 0; border-radius: 0.4rem;
  background: var(--line); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: #2a9d5c; }
progress::-moz-progress-bar { background: #2a9d5c; }
.apart { margin-top: 1.3rem; }
.apart:empty { display: none; }
.forms { display: grid; grid-template-columns: repeat(auto-fill, minmax(19rem, 1fr)); gap: 1rem; }
.forms .card { margin: 0; }
.field { margin: 0 0 0.7rem; display: grid; gap: 0.15rem; }
.field input, .field select { width: 100%; }
.said { margin: 0 0 0.8rem; font-weight: 600; }
.said:empty { margin: 0; }
.actions .said { margin: 0; }
.said[data-kind="problem"] { color: var(--bad); }
.said[data-kind="done"] { color: var(--good); }
.scroll { overflow-x: auto; }
.whole { white-space: nowrap; }
table.narrow { width: auto; margin: 0 0 1rem; }
table.narrow td { padding-right: 2rem; }
table.narrow td:first-child { white-space: nowrap; }
.failures .card { border-left: 5px solid var(--bad); }
ul.reports { margin: 0 0 0.75rem; padding: 0; list-style: none; display: grid; gap: 0.25rem; }
ul.reports li { display: grid; grid-template-columns: 10rem minmax(0, 1fr); gap: 0 0.7rem; }
.journeys pre.made { margin: 0.4rem 0 0; }
@media (max-width: 60rem) {
  .two { grid-template-columns: minmax(0, 1fr); }
  .row { grid-template-columns: 7rem 4rem 3.6rem minmax(0, 1fr); grid-template-rows: auto auto; align-content: center; gap: 0.05rem 0.6rem; }
  :root { --row: 3.9rem; }
  .row .number, .row.head .why, .row.head .psu, .row.head .journey { display: none; }
  .row .why { grid-column: 1 / 4; font-size: 0.8125rem; }
  .row .psu, .row .ms { display: none; }
  .row .journey { font-size: 0.8125rem; }
}
@media (max-width: 32rem) {
  main { padding: 0.8rem 0.7rem 2rem; }
  .top { padding: 0.5rem 0.7rem; }
  .top .where { margin-left: 0; }
  .list { height: calc(100vh - 17rem); }
  .row.head { display: none; }
  .row { grid-template-columns: 4.2rem 2.9rem 3.3rem minmax(0, 1fr); padding: 0 0.6rem; gap: 0.05rem 0.5rem; }
  .row .path { grid-column: 1 / 5; grid-row: 2; }
  .row .why { grid-column: 4; grid-row: 1; }
  .row .journey { display: none; }
  .card { padding: 0.8rem 0.85rem; }
  dl.facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dl.facts dd { margin: 0 0 0.5rem; }
  table.headers th, table.headers td { display: block; border: 0; padding-bottom: 0; }
  table.headers th { width: auto; padding-top: 0.5rem; }
  .filters { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.5rem; }
  .filters label, .filters input, .filters select { width: 100%; }
  .filters label:nth-child(2) { grid-column: 1 / 3; grid-row: 2; }
  h1 { font-size: 1.0625rem; }
  ul.reports li { grid-template-columns: minmax(0, 1fr); }
  table.narrow td { padding-right: 0.8rem; }
}
@media print { .top nav, .actions, .filters, .live { display: none; } }
`;
