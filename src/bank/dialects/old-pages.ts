import { changedRequest } from '../design/changed-request.ts';
import { allOf, type DesignChange, onPages, withAnswers } from '../design/design-changes.ts';
import type { BankRequest } from '../design/route.ts';
import { type Dialect, dialect, independent } from './dialect.ts';
import { greeted, onOpening, page } from './first-pages.ts';

/** Changes what the pages say: the first comes by GET, and the others behind a form. */
export const rewritten = (rewrite: (html: string, request: BankRequest) => string): DesignChange =>
  withAnswers(['page'], (answer, request) => {
    const { text } = answer;
    if (text === undefined || !text.type.startsWith('text/html')) return answer;
    return { ...answer, text: { ...text, content: rewrite(text.content, request) } };
  });

/** The page stands in a frame below another one, which has the name of the bank and a link home. */
const framed: DesignChange = onOpening((open) => (request, state) => {
  const [path = ''] = request.target.split('?');
  if (request.query.has('ramme')) return page('<h1>Banken</h1><p><a href="/">Forsiden</a></p>');
  if (request.query.has('side')) return open(request, state);
  return page(
    `<frameset rows="80,*"><frame src="${path}?ramme=topp"><frame src="${path}?side=innhold"></frameset>`,
  );
});

const contexts = { '1': 'PRIVATE', '2': 'CORPORATE' } as const;

function sentByNumber({ bytes }: BankRequest): Buffer {
  const form = new URLSearchParams(bytes.toString('utf8'));
  const context = Object.entries(contexts).find(([number]) => form.get('context') === number)?.[1];
  if (context !== undefined) form.set('context', context);
  return Buffer.from(form.toString());
}

/** Choices have numbers for values, and what they mean stands next to them in a table, in no label. */
const inTables: DesignChange = allOf(
  onPages(
    (route) => (request, state) =>
      route.handle(changedRequest(request, { bytes: sentByNumber(request) }), state),
  ),
  rewritten((html) =>
    Object.entries(contexts)
      .reduce(
        (text, [number, context]) =>
          text.replace(
            `type="radio" name="context" value="${context}"`,
            `type="radio" name="context" value="${number}"`,
          ),
        html,
      )
      .replaceAll(
        /<label class="choice">(<input[^>]*>)\s*<span>([\s\S]*?)<\/span><\/label>/g,
        '<table><tr><td>$2</td><td>$1</td></tr></table>',
      ),
  ),
);

const oneLabel = (html: string): string =>
  html.replace(/<div class="actions">([\s\S]*?)<\/div>/, '<p><label>$1</label></p>');

const inOneLabel = rewritten(oneLabel);

const isTelephone = (request: BankRequest): boolean => /Mobile/.test(request.header('user-agent') ?? '');

/** On every page there is a way out of the bank, which cancels nothing. */
const withTerms: DesignChange = allOf(
  greeted(
    '<label><input type="checkbox" name="vilkar" value="godtatt" required> Jeg godtar vilkårene</label>',
  ),
  rewritten(
    (html) => `${html}<footer><form action="/logg-ut" method="post"><button>Logg ut</button></form></footer>`,
  ),
);

/** Pages as they were written before there were browsers that cared. */
export const oldPageDialects: readonly Dialect[] = [
  dialect('pages/frames', 'shows its pages in a frame below one with its name', framed),
  dialect(
    'pages/terms',
    'has the PSU agree to its terms on a page of its own, which cannot be cancelled',
    withTerms,
  ),
  independent('pages-with/tables', 'writes next to a choice, in no label, what it means', inTables),
  independent('pages-with/one-label', 'has one label around all buttons of a page', inOneLabel),
  independent(
    'pages-with/own-for-telephones',
    'lays out its pages for telephones and for other browsers each in a way of its own',
    rewritten((html, request) =>
      isTelephone(request) ? oneLabel(html) : html.replaceAll('<label', '<b></b><label'),
    ),
  ),
];
