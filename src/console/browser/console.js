// The script of the console. It gets text from strangers and writes it as text: nothing here makes markup of a value.

const byId = (id) => document.getElementById(id);

function say(text, kind = 'done') {
  const said = byId('said');
  if (said === null) return;
  said.textContent = text;
  said.dataset.kind = kind;
}

async function ask(address, options = {}) {
  const response = await fetch(address, { ...options, headers: { 'Content-Type': 'application/json' } });
  if (response.ok) return response;
  const { error } = await response
    .json()
    .catch(() => ({ error: `The console answered ${response.status}.` }));
  throw new Error(error);
}

const asked = (work) => async (event) => {
  try {
    await work(event);
  } catch (error) {
    say(error.message, 'problem');
  }
};

// The token has done its work: it need not stay in the address bar, nor in the history.
if (location.search.includes('token=')) {
  const query = new URLSearchParams(location.search);
  query.delete('token');
  history.replaceState(null, '', location.pathname + (query.size > 0 ? `?${query}` : ''));
}

// ── What comes from the bank ─────────────────────────────────────────────────────────────────────────────────────────

const live = byId('live');
const events = new EventSource('/console/api/events');
const setLive = (isLive) => {
  live.dataset.live = isLive ? 'yes' : 'no';
  // A console that was started anew has another token, and the browser does not try again.
  const isOver = events.readyState === EventSource.CLOSED;
  live.textContent = isLive ? 'live' : isOver ? 'closed: open the printed address again' : 'not connected';
};
events.addEventListener('open', () => setLive(true));
events.addEventListener('error', () => setLive(false));

/** Puts the parts of a page that have changed in the place of the old ones, and leaves what somebody has opened. */
const partsOf = (root) => root.querySelectorAll('[data-live-part], [data-refresh]');
// As they came: what somebody opens before the first refresh is no news of the bank.
const latestParts = new Map([...partsOf(document)].map((part) => [part.id, part.outerHTML]));
const orderOf = (root) => [...root.querySelectorAll('.journeys > li')].map(({ id }) => id).join();
async function refreshNow() {
  const answer = await ask(location.pathname);
  // The run is over, and its report stands elsewhere.
  if (answer.redirected) return location.replace(answer.url);
  const text = await answer.text();
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  // Asked before the parts move from one page to the other.
  const isReordered = orderOf(fresh) !== orderOf(document);
  for (const part of partsOf(fresh)) {
    const old = byId(part.id);
    const known = latestParts.get(part.id);
    latestParts.set(part.id, part.outerHTML);
    if (old === null) location.reload();
    else if (known !== part.outerHTML) {
      for (const { id } of old.querySelectorAll('details[open][id]'))
        part.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
      old.replaceWith(part);
    }
  }
  if (byId('verdict') !== null) say('');
  if (isReordered) location.reload();
}

/** One after the other, or an answer that was late would show what is over. */
let refreshing = Promise.resolve();
let isWaiting = false;
function refresh() {
  if (isWaiting) return refreshing;
  isWaiting = true;
  refreshing = refreshing
    .catch(() => {})
    .then(() => {
      isWaiting = false;
      return refreshNow();
    });
  return refreshing;
}

// ── The list ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const mostRows = 10_000;

function showList(list) {
  const filters = byId('filters');
  const holder = byId('rows');
  const all = new Map();
  let shown = [];
  let drawn = '';
  const rowHeight = () => Number.parseFloat(getComputedStyle(list.querySelector('.row')).height) || 36;

  const wanted = (row) => {
    const { status, path, requirement } = Object.fromEntries(new FormData(filters));
    return (
      String(row.status).startsWith(status) &&
      row.path.toLowerCase().includes(path.toLowerCase()) &&
      (row.requirement ?? '').toLowerCase().startsWith(requirement.toLowerCase())
    );
  };

  const cell = (text, name = '') => {
    const span = document.createElement('span');
    span.setAttribute('role', 'cell');
    span.className = name;
    span.textContent = text;
    span.title = text;
    return span;
  };

  /** What stands behind an id tells more than its last digits do. */
  const pathCell = (path) => {
    const span = cell(path, 'path');
    span.textContent = path.replace(/([0-9a-f]{8})(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, '$1…');
    return span;
  };

  const element = (row, top, height) => {
    const link = document.createElement('a');
    link.className = 'row';
    link.href = `/console/requests/${row.number}`;
    link.setAttribute('role', 'row');
    link.style.top = `${top}px`;
    link.style.height = `${height}px`;
    const badge = document.createElement('span');
    badge.className = `badge s${String(row.status)[0]}`;
    badge.textContent = row.status;
    const status = cell('');
    status.append(badge);
    const time = cell(row.at.slice(11, 19));
    time.append(
      Object.assign(document.createElement('span'), { className: 'ms', textContent: row.at.slice(19, 23) }),
    );
    link.append(
      cell(row.number, 'number soft'),
      time,
      status,
      cell(row.method),
      pathCell(row.path),
      cell(row.requirement === undefined ? '' : `${row.requirement} ${row.problem}`, 'why'),
      cell(row.psu ?? '', 'psu'),
      cell(row.journey ?? '', 'journey'),
    );
    return link;
  };

  /** Only what is in view is in the page, so that ten thousand requests cost no more than twenty. */
  const draw = () => {
    const height = rowHeight();
    const first = Math.max(0, Math.floor(list.scrollTop / height) - 5);
    const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / height) + 10);
    const visible = shown.slice(first, last);
    const state = JSON.stringify([height, first, visible]);
    if (state === drawn) return;
    drawn = state;
    holder.style.height = `${shown.length * height}px`;
    holder.replaceChildren(...visible.map((row, index) => element(row, (first + index) * height, height)));
  };

  let due = false;
  const drawSoon = () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      draw();
    });
  };

  const apply = () => {
    const before = shown.length;
    shown = [...all.values()].filter(wanted).reverse();
    // Who has scrolled down keeps what is in view.
    if (list.scrollTop > rowHeight()) list.scrollTop += Math.max(0, shown.length - before) * rowHeight();
    byId('empty').hidden = shown.length > 0;
    byId('count').textContent =
      shown.length === all.size
        ? `${all.size} ${all.size === 1 ? 'request' : 'requests'}`
        : `${shown.length} of ${all.size} requests`;
    drawSoon();
  };

  const take = (rows) => {
    for (const row of rows) all.set(row.number, row);
    for (const number of all.keys()) {
      if (all.size <= mostRows) break;
      all.delete(number);
    }
    apply();
  };

  const load = async () => {
    const { requests } = await (await ask('/console/api/requests')).json();
    all.clear();
    take(requests);
  };

  holder.classList.remove('plain');
  list.addEventListener('scroll', drawSoon);
  addEventListener('resize', drawSoon);
  filters.addEventListener('submit', (event) => event.preventDefault());
  filters.addEventListener('input', () => {
    list.scrollTop = 0;
    const query = new URLSearchParams([...new FormData(filters)].filter(([, value]) => value !== ''));
    history.replaceState(null, '', location.pathname + (query.size > 0 ? `?${query}` : ''));
    apply();
  });
  byId('forget').addEventListener(
    'click',
    asked(async () => {
      await ask('/console/api/requests', { method: 'DELETE' });
      await load();
    }),
  );
  events.addEventListener('rows', ({ data }) => take(JSON.parse(data).flat()));
  // After a break in the connection some may be missing.
  events.addEventListener('open', () => void load());
}

const list = byId('list');
if (list !== null) showList(list);

// ── One request ──────────────────────────────────────────────────────────────────────────────────────────────────────

async function copy(text) {
  if (navigator.clipboard !== undefined) {
    await navigator.clipboard.writeText(text).catch(() => {});
  }
}

/** Text that somebody copies, also shown, because a clipboard may be closed to a page. */
function showText(after, text) {
  const next = after.nextElementSibling;
  const pre = next?.matches('pre.made') ? next : document.createElement('pre');
  pre.className = 'made';
  pre.textContent = text;
  after.after(pre);
}

document.addEventListener(
  'click',
  asked(async ({ target }) => {
    const button = target instanceof Element ? target.closest('button') : null;
    if (button === null) return;
    const { copy: address, replay, step } = button.dataset;
    if (address !== undefined) {
      const text = await (await ask(address)).text();
      await copy(text);
      showText(button.closest('.actions'), text);
      say('Copied.');
    } else if (replay !== undefined) {
      const { number } = await (
        await ask(`/console/api/requests/${replay}/replay`, { method: 'POST' })
      ).json();
      location.assign(`/console/requests/${number}${location.search}`);
    } else if (step !== undefined) {
      // Said where somebody looks: the line at the top of the page is far away.
      try {
        const text = await (await ask(step)).text();
        await copy(text);
        showText(button, text);
        say('Copied. It works for the next minute.');
      } catch (error) {
        showText(button, error.message);
      }
    } else if (button.id === 'finish') {
      button.disabled = true;
      await ask('/console/api/certification/finish', { method: 'POST' });
      say('The reports are being written.');
    }
  }),
);

// ── The bank by hand ─────────────────────────────────────────────────────────────────────────────────────────────────

function entered(input) {
  if (input.dataset.list !== undefined) return input.value.split(/[\s,]+/).filter(Boolean);
  if (input.value === '') return undefined;
  return input.dataset.number === undefined ? input.value : Number(input.value);
}

document.addEventListener(
  'submit',
  asked(async (event) => {
    const { endpoint } = event.target.dataset;
    if (endpoint === undefined) return;
    event.preventDefault();
    const inputs = [...event.target.elements].filter(({ name }) => name !== undefined && name !== '');
    const body = Object.fromEntries(inputs.map((input) => [input.name, entered(input)]));
    await ask(endpoint, { method: 'POST', body: JSON.stringify(body) });
    say(`${event.target.getAttribute('aria-label')}: done.`);
    await refresh();
  }),
);

// ── Certification ────────────────────────────────────────────────────────────────────────────────────────────────────

if (document.querySelector('[data-live-part]') !== null) {
  events.addEventListener('news', () => void refresh().catch(() => {}));
  events.addEventListener('open', () => void refresh().catch(() => {}));
}
