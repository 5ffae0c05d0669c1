import { createHash } from 'node:crypto';

/** The look of the matrix page: light and dark after the reader's system, cards on a phone, a summary on paper. */
export const matrixStyle = `
:root { color-scheme: light dark; --ink: #1c2330; --soft: #515b6d; --line: #d9dee7; --ground: #f5f7fa; --card: #fff; --link: #1d4f91;
  --pass: #17693f; --pass-bg: #dcf3e6; --fail: #a32020; --fail-bg: #fbe0e0; --warning: #7d5200; --warning-bg: #fdf0d1;
  --inconclusive: #6b3fa0; --inconclusive-bg: #eee4fa; --none: #515b6d; --none-bg: #e8ebf0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #a3adbd; --line: #333c4a; --ground: #12161d; --card: #1b212b; --link: #8ab4ff;
  --pass: #7fdcab; --pass-bg: #123524; --fail: #ff9d9d; --fail-bg: #471a1a; --warning: #f5c469; --warning-bg: #3d2c07;
  --inconclusive: #cdb0f5; --inconclusive-bg: #321f4d; --none: #a3adbd; --none-bg: #2a323f; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; overflow-wrap: break-word; }
main, header, footer { max-width: 1240px; margin: 0 auto; padding: 0 24px; }
a { color: var(--link); }
a:focus-visible, input:focus-visible, select:focus-visible, button:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 24px; top: 8px; }
header { padding-top: 28px; }
.eyebrow { margin: 0; color: var(--soft); font-size: 13px; letter-spacing: .04em; text-transform: uppercase; }
h1 { margin: 4px 0 12px; font-size: 30px; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 40px 0 12px; font-size: 21px; }
h3 { margin: 24px 0 8px; font-size: 16px; }
.overall { display: inline-block; margin: 0 0 0 8px; padding: 4px 16px; border-radius: 18px; font-size: 18px; font-weight: 700; vertical-align: 4px; }
.conformant { background: var(--pass-bg); color: var(--pass); }
.non-conformant { background: var(--fail-bg); color: var(--fail); }
.incomplete { background: var(--warning-bg); color: var(--warning); }
.partial { background: var(--inconclusive-bg); color: var(--inconclusive); }
.chips { display: flex; flex-wrap: wrap; gap: 6px; margin: 0 0 14px; padding: 0; list-style: none; }
.chips li { padding: 3px 10px; border-radius: 8px; font-size: 13.5px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.links { margin: 12px 0 0; display: flex; flex-wrap: wrap; gap: 4px 20px; }
.facts { display: flex; flex-wrap: wrap; gap: 10px 36px; margin: 16px 0 0; padding: 14px 18px;
  background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.facts dt { color: var(--soft); font-size: 12.5px; }
.facts dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.attested { margin: 12px 0 0; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
.remarks { margin: 0; padding-left: 20px; }
.problems { margin: 0 0 14px; padding: 10px 18px 10px 34px; background: var(--warning-bg); color: var(--warning); border-radius: 10px; }
.counts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(150px, 30%), 1fr)); gap: 10px; margin: 12px 0 0; padding: 0; list-style: none; }
.counts li { padding: 8px 12px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; color: var(--soft); font-size: 13px; }
.counts b { display: block; color: var(--ink); font-size: 22px; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts .fail, .counts .fail b, .counts .error, .counts .error b { color: var(--fail); } .counts .none b { color: var(--soft); }
.bar { display: flex; gap: 2px; height: 12px; margin: 6px 0; border-radius: 6px; overflow: hidden; }
.bar span { min-width: 3px; }
.bar .pass, .trend .pass { background: #2f9e66; } .bar .fail, .bar .error, .trend .fail, .trend .error { background: #d64545; }
.bar .warning, .trend .warning { background: #dd9a1c; } .bar .inconclusive, .trend .inconclusive { background: #9067cc; }
.bar .not-applicable, .bar .not-tested, .trend .not-applicable, .trend .not-tested { background: #98a2b3; }
.sections { display: grid; grid-template-columns: repeat(auto-fill, minmax(320px, 1fr)); gap: 6px 28px; margin: 0; padding: 0; list-style: none; }
.sections .tally { float: right; color: var(--soft); font-size: 13px; }
.tally strong { color: var(--fail); }
.trend { display: flex; gap: 8px; align-items: flex-start; margin: 0; padding: 12px 14px; overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; list-style: none; }
.trend li { flex: 0 0 104px; font-size: 11.5px; text-align: center; color: var(--soft); }
.trend .column { display: flex; flex-direction: column-reverse; gap: 1px; height: 84px; margin: 0 auto 4px; width: 30px; border-radius: 4px; overflow: hidden; }
.trend .column span { min-height: 3px; }
.trend .mark { display: block; margin-bottom: 3px; padding: 0 2px; border-radius: 5px; font-weight: 600; line-height: 1.4; }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 8px 14px; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-size: 12.5px; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; white-space: nowrap; }
tr:target { outline: 3px solid var(--link); outline-offset: -3px; }
td.wide { width: 45%; min-width: 260px; overflow-wrap: anywhere; }
td.name { min-width: 190px; } td.level { min-width: 170px; }
td.reason { min-width: 200px; overflow-wrap: anywhere; }
td.number { white-space: nowrap; font-variant-numeric: tabular-nums; }
td small { display: block; color: var(--soft); font-size: 13px; }
.verdict { display: inline-block; padding: 1px 9px; border-radius: 10px; font-size: 13px; font-weight: 600; white-space: nowrap; }
.verdict.pass { background: var(--pass-bg); color: var(--pass); }
.verdict.fail, .verdict.error { background: var(--fail-bg); color: var(--fail); }
.verdict.warning { background: var(--warning-bg); color: var(--warning); }
.verdict.inconclusive { background: var(--inconclusive-bg); color: var(--inconclusive); }
.verdict.not-applicable, .verdict.not-tested, .verdict.plain { background: var(--none-bg); color: var(--none); }
.checks { display: flex; flex-wrap: wrap; gap: 0 12px; min-width: 150px; margin: 0; padding: 0; list-style: none; font-size: 13.5px; }
.checks li { white-space: nowrap; }
.filter { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 8px 14px; align-items: end; padding: 10px 14px; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.filter label { display: flex; flex-direction: column; color: var(--soft); font-size: 12.5px; min-width: 0; }
.filter label:first-child { flex: 1 1 260px; }
.filter input, .filter select, .filter button { min-width: 0; max-width: 100%; padding: 6px 9px; border: 1px solid var(--line); border-radius: 7px; background: var(--ground); color: var(--ink); font: inherit; font-size: 13.5px; line-height: 1.4; }
.filter button { cursor: pointer; }
.filter output { color: var(--soft); font-size: 13px; padding-bottom: 7px; }
#requirements section { scroll-margin-top: 90px; } #requirements tr { scroll-margin-top: 100px; }
nav ul { display: flex; flex-wrap: wrap; gap: 2px 20px; margin: 0; padding: 0; list-style: none; }
.legend { display: grid; grid-template-columns: max-content 1fr; gap: 6px 14px; margin: 0; }
.legend dd { margin: 0; }
.note { color: var(--soft); font-size: 13.5px; }
.print-only { display: none; }
footer { margin: 44px auto 32px; color: var(--soft); font-size: 13px; }
@media (max-width: 640px) {
  main, header, footer { padding: 0 14px; } header { padding-top: 18px; }
  h1 { font-size: 23px; } h2 { margin-top: 32px; } .overall { margin-left: 0; font-size: 16px; } .facts { gap: 8px 24px; }
  .chips li { padding: 2px 8px; font-size: 13px; } .sections { grid-template-columns: 1fr; }
  .filter { position: static; }
  table, tbody, tr, td, tbody th { display: block; } thead { display: none; }
  tr { padding: 8px 12px; border-top: 1px solid var(--line); } tr:first-child { border-top: 0; }
  td, tbody th { padding: 2px 0; border: 0; } tbody th { white-space: normal; overflow-wrap: anywhere; }
  td.wide, td.name, td.level, td.reason { width: auto; min-width: 0; }
  td[data-label]::before { content: attr(data-label) ": "; color: var(--soft); font-size: 12.5px; }
  td:empty { display: none; } .checks { display: inline-flex; } .legend { grid-template-columns: 1fr; }
}
@media print {
  @page { size: A4; margin: 12mm; }
  :root { --ink: #000; --soft: #444; --line: #bbb; --ground: #fff; --card: #fff; --link: #000; --pass: #17693f; --pass-bg: #dcf3e6; --fail: #a32020; --fail-bg: #fbe0e0;
    --warning: #7d5200; --warning-bg: #fdf0d1; --inconclusive: #6b3fa0; --inconclusive-bg: #eee4fa; --none: #586173; --none-bg: #e8ebf0; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  body { font-size: 10px; line-height: 1.3; } main, header, footer { max-width: none; padding: 0; } header { padding-top: 0; }
  h1 { font-size: 19px; margin-bottom: 6px; } h2 { margin: 9px 0 4px; font-size: 12.5px; } .overall { font-size: 13px; } .eyebrow, .facts dt, .attested, td small, .sections .tally { font-size: 9.5px; }
  .screen-only, .links, .skip { display: none !important; } .print-only { display: block; }
  .facts { padding: 6px 10px; gap: 3px 24px; margin-top: 6px; } .chips { margin-bottom: 6px; gap: 3px; } .chips li { padding: 1px 6px; font-size: 10px; }
  .counts { grid-template-columns: repeat(7, 1fr); gap: 5px; margin-top: 4px; } .counts li { padding: 2px 7px; font-size: 9.5px; } .counts b { font-size: 13px; }
  .sections { grid-template-columns: 1fr 1fr 1fr; gap: 1px 16px; } .bar { height: 7px; margin: 2px 0; }
  .trend { padding: 5px 8px; } .trend li { font-size: 8.5px; flex-basis: 74px; } h3, .note { display: none; } p { margin: 3px 0; } .trend .column { height: 26px; margin-bottom: 2px; }
  .scroll { overflow: visible; } th, td { padding: 1px 7px; } thead th, .verdict { font-size: 9.5px; } tr { break-inside: avoid; } td.wide { min-width: 0; } td.name { min-width: 110px; }
  .problems { padding: 5px 10px 5px 24px; margin-bottom: 6px; } a { text-decoration: none; } footer { margin: 10px 0 0; font-size: 9px; }
}
`;

/**
 * Search and filter of `requirements.html` and `report.html`. Without it the pages show everything. It reads nothing but the
 * page itself, and puts nothing of it anywhere but back as text.
 */
export const filterScript = `(() => {
  const form = document.getElementById('filter');
  const list = document.getElementById(form.dataset.list);
  const search = form.elements.search;
  const choices = [...form.querySelectorAll('select')];
  const count = document.getElementById('filter-count');
  const none = document.getElementById('filter-none');
  const rows = [...list.querySelectorAll('[data-verdict]')];
  // Of what opens, its first line and the requirements below it.
  const textOf = (row) => (row.matches('details') ? [row.firstChild, row.querySelector('p')] : [row]).map((part) => part.textContent).join(' ');
  const texts = new Map(rows.map((row) => [row, textOf(row).toLowerCase()]));
  const groups = [...list.querySelectorAll('.part, section')];
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const row of rows)
      row.hidden = !(words.every((word) => texts.get(row).includes(word)) &&
        choices.every(({ name, value }) => value === '' || row.dataset[name] === value));
    for (const group of groups) group.hidden = group.querySelector('[data-verdict]:not([hidden])') === null;
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = count.dataset.text.replace('%shown', shown).replace('%all', rows.length);
    none.hidden = shown > 0;
  };
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null) return;
    if (target.closest('[hidden]') !== null) {
      form.reset();
      apply();
    }
    for (let part = target; part !== null; part = part.parentElement) if (part.matches('details')) part.open = true;
    target.scrollIntoView();
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  addEventListener('hashchange', reveal);
  addEventListener('beforeprint', () => { for (const cause of document.querySelectorAll('.cause, .printed')) cause.open = true; });
  form.hidden = false;
  apply();
  if (location.hash !== '') reveal();
})();`;

/** The only script that the page may run. */
export const filterScriptHash: string = `sha256-${createHash('sha256').update(filterScript).digest('base64')}`;
