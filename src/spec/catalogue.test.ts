import { describe, expect, it } from 'vitest';
import { bodies } from './bodies/index.ts';
import { requirementById, requirements } from './catalogue.ts';
import { demandsOf, pathText } from './field.ts';
import { headerId, headerRows, specifiedProfiles } from './headers.ts';
import { defaultReadings, interpretationList, interpretations } from './interpretations.ts';
import { sections } from './sections.ts';

const level = (id: string) => requirementById.get(id)?.level;

describe('the catalogue', () => {
  it('holds every normative statement: two hundred and more', () => {
    expect(requirements.length).toBeGreaterThan(200);
  });

  it('has no id twice', () => {
    const ids = requirements.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(requirementById.size).toBe(requirements.length);
  });

  it.each(requirements)('$id is well-formed', ({ id, statement, section, side, level, unobservable }) => {
    expect(id).toMatch(/^[A-Z]{3}-\d{2}$/);
    expect(statement).toMatch(/\S[.]$/);
    expect(statement).not.toMatch(/undefined|\[object|\*/);
    expect(sections).toContain(section[0]);
    expect(['bank', 'tpp']).toContain(side);
    expect(['must', 'should', 'advisory']).toContain(level);
    if (unobservable !== undefined) expect(unobservable).not.toBe('');
  });

  it('follows the order of the specification', () => {
    const places = requirements.map(({ section }) =>
      (sections as readonly string[]).indexOf(section[0] ?? ''),
    );
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });

  it('says no two things in the same words within a section', () => {
    const said = requirements.map(({ section, statement }) => `${section.join('/')}: ${statement}`);
    expect(said.filter((text, index) => said.indexOf(text) !== index)).toEqual([]);
  });
});

describe('the tables', () => {
  it.each(Object.entries(bodies))('%s: every demand on a field is a requirement', (_, body) => {
    for (const { id, path } of demandsOf(body)) {
      expect(requirementById.has(id), `${id} ${pathText(path)}`).toBe(true);
    }
  });

  it('have an id for one demand alone, but for the rows that bodies share', () => {
    const uses = new Map<string, Set<string>>();
    for (const body of Object.values(bodies)) {
      for (const { id, path, facet } of demandsOf(body)) {
        uses.set(id, (uses.get(id) ?? new Set()).add(`${body.name} ${pathText(path)} ${facet}`));
      }
    }
    const shared = [...uses].filter(([, places]) => places.size > 1).map(([id]) => id);
    for (const id of shared) expect(id).toMatch(/^(REM|LNK|MSG)-/);
    // A shared row is the same row: it makes one demand wherever it stands.
    for (const [, places] of uses) {
      expect(new Set([...places].map((place) => place.split(' ').at(-1))).size).toBe(1);
    }
  });

  it.each(specifiedProfiles)('headers of %s: every row is a requirement', (profile) => {
    const rows = headerRows.filter(({ required, optional }) => [...required, ...optional].includes(profile));
    expect(rows.length).toBeGreaterThan(5);
    for (const { number, type, name } of rows) {
      expect(requirementById.get(headerId(profile, number))?.statement).toContain(name);
      if (type !== undefined) {
        expect(requirementById.get(headerId(profile, type.number))?.statement).toContain(name);
      }
    }
  });

  it('give each row of the header table a number of its own', () => {
    const numbers = headerRows.flatMap(({ number, type }) => [
      number,
      ...(type === undefined ? [] : [type.number]),
    ]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('require a header or allow it, never both', () => {
    for (const { required, optional } of headerRows) {
      expect(required.filter((profile) => optional.includes(profile))).toEqual([]);
    }
  });
});

describe('required headers', () => {
  const required = (profile: (typeof specifiedProfiles)[number]) =>
    headerRows.filter((row) => row.required.includes(profile)).map(({ name }) => name);

  it('are those of the specification', () => {
    const initiation = [
      'x-accept-fix',
      'X-Request-ID',
      'TPP-Session-ID',
      'TPP-Redirect-URI',
      'TPP-Signature-Certificate',
      'Signature',
      'PSU-ID',
      'PSU-IP-Address',
    ];
    expect(new Set(required('basket'))).toEqual(new Set(initiation));
    expect(new Set(required('domestic'))).toEqual(new Set([...initiation, 'Digest']));
    expect(new Set(required('crossBorder'))).toEqual(new Set([...initiation, 'Digest']));
    expect(new Set(required('sandbox'))).toEqual(
      new Set(['X-Request-ID', 'TPP-Signature-Certificate', 'Signature']),
    );
  });

  it('and others are not listed for a basket', () => {
    const listed = headerRows
      .filter(({ required: must, optional }) => [...must, ...optional].includes('basket'))
      .map(({ name }) => name);
    for (const name of ['Digest', 'X-PSU-IDENTITY', 'PSU-Context', 'TPP-Brand-Logging-Information']) {
      expect(listed).not.toContain(name);
    }
  });
});

describe('levels', () => {
  it('make a must of what the specification fixes', () => {
    for (const id of ['SIG-01', 'SIG-02', 'DIG-03', 'AMT-02', 'NDC-63', 'COR-01', 'BSK-17', 'ERR-02']) {
      expect(level(id), id).toBe('must');
    }
  });

  it('make a must of nothing that is only a reading of the form', () => {
    for (const id of ['SGH-03', 'SGH-04', 'SGH-09', 'SGS-08', 'NCB-61', 'NCB-63', 'AMT-08', 'CLK-07']) {
      expect(level(id), id).toBe('advisory');
    }
  });

  it('make no must of shapes that the specification does not show', () => {
    for (const { id } of demandsOf(bodies.paymentStatusResponse).filter(({ id }) => id.startsWith('PST-'))) {
      expect(level(id), id).not.toBe('must');
    }
  });
});

describe('interpretations', () => {
  it('cover every ambiguity: twenty-eight and more', () => {
    expect(interpretationList.length).toBeGreaterThanOrEqual(28);
  });

  it.each(interpretationList)('$id has a question, values and one of them by default', (entry) => {
    expect(entry.question).toMatch(/\.$/);
    expect(Object.keys(entry.values)).toContain(entry.default);
    for (const meaning of Object.values(entry.values)) expect(meaning).not.toBe('');
  });

  it('exist wherever a requirement rests on one', () => {
    const named = requirements.flatMap(({ interpretation }) => interpretation ?? []);
    expect(named.length).toBeGreaterThan(50);
    for (const id of named) expect(Object.keys(interpretations)).toContain(id);
  });

  it('have the defaults that were agreed', () => {
    expect(defaultReadings).toMatchObject({
      refusalStatus: 'any-4xx',
      basketLimit: '100',
      acceptFix: 'required',
      psuIdentification: 'one-of-them',
      clockReference: 'bank-clock',
      unsignedCandidates: 'digest-only',
      paymentSca: 'either',
      amountFractionDigits: 'exact',
      remittancePairs: 'named-pair',
      accountReference: 'neither-refused',
      lengthUnit: 'unicode-characters',
      statusBeforeApproval: 'tolerated',
    });
  });
});
