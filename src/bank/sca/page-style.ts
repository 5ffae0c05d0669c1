import { createHash } from 'node:crypto';

/** The style of the pages: inline, because the pages load nothing, and allowed by its hash only. */
export const pageStyle = `
:root { color-scheme: light; --ink: #1b2330; --soft: #4a5568; --line: #7b8794; --brand: #0b4f6c; --alarm: #a11225; }
* { box-sizing: border-box; }
body { margin: 0; background: #eef2f5; color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; }
header { background: var(--brand); color: #fff; padding: 0.9rem 1.25rem; font-weight: 600; }
header span { font-weight: 400; border: 1px solid #fff; border-radius: 1rem; padding: 0.05rem 0.6rem;
  margin-left: 0.6rem; font-size: 0.875rem; }
main { max-width: 34rem; margin: 1.5rem auto; padding: 1.5rem 1.75rem 1.75rem; background: #fff;
  border-radius: 0.6rem; box-shadow: 0 1px 4px rgb(27 35 48 / 18%); }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.75rem; }
p { margin: 0 0 1rem; }
label.title, legend { font-weight: 600; padding: 0; }
.hint { color: var(--soft); font-size: 0.9375rem; margin: 0.1rem 0 0.4rem; }
.hint code { font-size: 0.9375rem; }
input[type="text"] { display: block; width: 100%; max-width: 16rem; font: inherit; letter-spacing: 0.06em;
  padding: 0.55rem 0.7rem; border: 2px solid var(--line); border-radius: 0.35rem; }
input[aria-invalid="true"] { border-color: var(--alarm); }
.field, fieldset { margin: 0 0 1.4rem; padding: 0; border: 0; min-width: 0; }
.choice { display: flex; gap: 0.75rem; align-items: flex-start; padding: 0.65rem 0.8rem; margin-top: 0.5rem;
  border: 1px solid var(--line); border-radius: 0.35rem; cursor: pointer; }
.choice:hover { background: #f3f7fa; }
.choice input { width: 1.25rem; height: 1.25rem; margin: 0.15rem 0 0; flex: none; accent-color: var(--brand); }
.choice small { display: block; color: var(--soft); font-size: 0.9375rem; }
:focus-visible { outline: 3px solid #b45f06; outline-offset: 2px; }
.alert { border-left: 5px solid var(--alarm); background: #fdf0f1; color: #7a0e1c; padding: 0.7rem 0.9rem;
  margin: 0 0 1.2rem; }
.alert p { margin: 0; }
.note { border-left: 5px solid var(--brand); background: #eaf3f7; padding: 0.7rem 0.9rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.35rem 1.25rem; margin: 0 0 1.4rem;
  padding: 0.9rem 1rem; background: #f3f7fa; border-radius: 0.35rem; }
dt { color: var(--soft); }
dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button { font: inherit; font-weight: 600; padding: 0.6rem 1.4rem; border-radius: 0.35rem; cursor: pointer;
  border: 2px solid var(--brand); background: var(--brand); color: #fff; }
button:hover { background: #083b51; }
button.second { background: #fff; color: var(--brand); }
button.second:hover { background: #eaf3f7; }
footer { max-width: 34rem; margin: 0 auto 2rem; padding: 0 1.75rem; color: var(--soft); font-size: 0.9375rem; }
@media (max-width: 36rem) { main { margin: 0; border-radius: 0; box-shadow: none; } dl { grid-template-columns: 1fr; gap: 0; }
  dd + dt { margin-top: 0.5rem; } footer { padding-top: 1rem; } }
`;

export const pageStyleHash = `sha256-${createHash('sha256').update(pageStyle).digest('base64')}`;
