import type { HtmlPage } from './html-page.ts';

/** Whatever a person does there: it has nothing to press, to follow or to wait for. */
export const leadsNowhere = ({ forms, links, frames, refresh, hasScript }: HtmlPage): boolean =>
  forms.length + links.length + frames.length === 0 && refresh === undefined && !hasScript;

const doneHints =
  /thank|\bdone\b|complete|finished|approved|success|close (?:this|the|your)|takk|ferdig|fullført|godkjent|vellykket|lukke? (?:denne|siden|vinduet)/i;
const failedHints =
  /\bnot\b|\bno\b|error|fail|denied|invalid|unknown|wrong|expired|sorry|feil|ikke|ukjent|ugyldig|avvist|avbrutt|utløpt|beklager/i;

/** A page that says nothing of the kind may be the answer to something that was filled in wrongly here. */
export const saysDone = ({ title, text }: HtmlPage): boolean =>
  doneHints.test(`${title} ${text}`) && !failedHints.test(`${title} ${text}`);
