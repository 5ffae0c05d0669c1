import { createHash } from 'node:crypto';

/**
 * Search and filter of `requirements.html`. Without it the page shows everything. It reads nothing but the page itself, and
 * puts nothing of it anywhere but back as text.
 */
export const filterScript = `(() => {
  const form = document.getElementById('filter');
  const [search, verdict, section] = ['search', 'verdict', 'section'].map((name) => form.elements[name]);
  const count = document.getElementById('filter-count');
  const none = document.getElementById('filter-none');
  const rows = [...document.querySelectorAll('#requirements tbody tr')];
  const texts = new Map(rows.map((row) => [row, row.textContent.toLowerCase()]));
  const groups = [...document.querySelectorAll('#requirements .part, #requirements section')];
  const apply = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    for (const row of rows)
      row.hidden = !(words.every((word) => texts.get(row).includes(word)) &&
        (verdict.value === '' || row.dataset.verdict === verdict.value) &&
        (section.value === '' || row.dataset.section === section.value));
    for (const group of groups) group.hidden = group.querySelector('tbody tr:not([hidden])') === null;
    const shown = rows.filter((row) => !row.hidden).length;
    count.textContent = count.dataset.text.replace('%shown', shown).replace('%all', rows.length);
    none.hidden = shown > 0;
  };
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target === null || target.closest('[hidden]') === null) return;
    form.reset();
    apply();
    target.scrollIntoView();
  };
  form.addEventListener('submit', (event) => event.preventDefault());
  form.addEventListener('input', apply);
  form.addEventListener('reset', () => setTimeout(apply));
  addEventListener('hashchange', reveal);
  form.hidden = false;
  apply();
})();`;

/** The only script that the page may run. */
export const filterScriptHash: string = `sha256-${createHash('sha256').update(filterScript).digest('base64')}`;
