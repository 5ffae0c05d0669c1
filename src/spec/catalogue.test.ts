import { describe, expect, it } from 'vitest';
import { bodies } from './bodies/index.ts';
import { paymentStatusResponse } from './bodies/responses.ts';
import { requirementById, requirements } from './catalogue.ts';
import { type Body, type Demand, demandsOf, pathText } from './field.ts';
import { headerId, headerRows, specifiedProfiles } from './headers.ts';
import { defaultReadings, interpretationList, interpretations } from './interpretations.ts';
import { type Remedy, remedies } from './remedies.ts';
import { type Requirement, sections } from './requirement.ts';

const demandText = ({ id, path, facet }: Demand): string => `${id} ${pathText(path)} ${facet}`;
const level = (id: string) => requirementById.get(id)?.level;

describe('the catalogue', () => {
  it('has well-formed requirements: an id, one whole sentence, a section, and a reason that says something', () => {
    const isWellFormed = ({ id, statement, section, unobservable }: Requirement): boolean =>
      /^[A-Z]{3}-\d{2}$/.test(id) &&
      /\S\.$/.test(statement) &&
      !/undefined|\[object|\*/.test(statement) &&
      (sections as readonly (string | undefined)[]).includes(section[0]) &&
      unobservable !== '';
    expect(requirements.filter((requirement) => !isWellFormed(requirement))).toEqual([]);
  });

  it('names what a requirement is a case of, which is itself none', () => {
    const wider = requirements.flatMap(({ caseOf }) => caseOf ?? []);
    expect(wider.filter((id) => requirementById.get(id)?.caseOf !== undefined)).toEqual([]);
    expect(wider.filter((id) => !requirementById.has(id))).toEqual([]);
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
  it('state a requirement with every demand on a field', () => {
    const demands = Object.values<Body>(bodies).flatMap(demandsOf);
    expect(demands.filter(({ id }) => !requirementById.has(id)).map(demandText)).toEqual([]);
  });

  it('have an id for one demand alone, but for the rows that bodies share, which demand the same in each', () => {
    const demands = Object.values<Body>(bodies).flatMap((body) =>
      demandsOf(body).map((demand) => ({ ...demand, body: body.name })),
    );
    const isShared = (id: string): boolean => /^(REM|LNK|MSG)-/.test(id);
    const clashes = demands.filter((one, index) => {
      const first = demands.findIndex(({ id }) => id === one.id);
      return first < index && !(isShared(one.id) && demands[first]?.facet === one.facet);
    });
    expect(clashes.map((demand) => `${demandText(demand)} of ${demand.body}`)).toEqual([]);
  });

  it('state a requirement with every row of the header table, and with every type in it', () => {
    const stated = specifiedProfiles.flatMap((profile) =>
      headerRows
        .filter(({ required, optional }) => [...required, ...optional].includes(profile))
        .flatMap(({ name, number, type }) =>
          [number, ...(type === undefined ? [] : [type.number])].map((of) => ({
            name,
            id: headerId(profile, of),
          })),
        ),
    );
    expect(stated.filter(({ name, id }) => !requirementById.get(id)?.statement.includes(name))).toEqual([]);
  });

  it('give each row of the header table a number of its own', () => {
    const numbers = headerRows.flatMap(({ number, type }) => [
      number,
      ...(type === undefined ? [] : [type.number]),
    ]);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('require a header or allow it, never both', () => {
    const both = headerRows.filter(({ required, optional }) =>
      required.some((profile) => optional.includes(profile)),
    );
    expect(both.map(({ name }) => name)).toEqual([]);
  });
});

describe('facts', () => {
  it('name a remedy for every requirement of a bank that a check can observe, and for no other', () => {
    const wrong = requirements.filter(
      ({ side, unobservable, remedies = [] }) =>
        (side === 'bank' && unobservable === undefined) !== remedies.length > 0,
    );
    expect(wrong.map(({ id, statement }) => `${id} ${statement}`)).toEqual([]);
  });

  it('name few enough remedies to be read, and each remedy is of use to some requirement', () => {
    expect(requirements.filter(({ remedies: own = [] }) => own.length > 3).map(({ id }) => id)).toEqual([]);
    const used = new Set(requirements.flatMap(({ remedies: own = [] }) => own));
    expect(Object.entries<Remedy>(remedies).filter(([, remedy]) => !used.has(remedy))).toEqual([]);
  });

  it('tell remedies in whole sentences', () => {
    const sentences = Object.values<Remedy>(remedies).flatMap(({ cause, remedy }) => [cause, remedy]);
    expect(sentences.filter((sentence) => !/^[A-Zxk(].*\.$/.test(sentence))).toEqual([]);
  });

  it('fix a status exactly where the sentence names one', () => {
    const named = ({ statement }: Requirement): number | undefined =>
      Number(/(?:answered|rejected with) (\d{3})\b/.exec(statement)?.[1] ?? Number.NaN) || undefined;
    const wrong = requirements.filter((requirement) => requirement.status !== named(requirement));
    expect(wrong.map(({ id, status, statement }) => `${id} (${status}) ${statement}`)).toEqual([]);
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
    for (const id of ['SGH-03', 'SGH-04', 'SGH-09', 'SGS-08', 'NCB-61', 'NCB-63', 'AMT-08']) {
      expect(level(id), id).toBe('advisory');
    }
  });

  it('make no must of shapes that the specification does not show, but for the statuses that it lists', () => {
    const ofStatus = paymentStatusResponse.fields.flatMap(({ ids }) => Object.values(ids));
    expect(ofStatus.filter((id) => level(id) === 'must')).toEqual(['PST-04']);
  });
});

describe('interpretations', () => {
  it('have a question, values that say something, and one of them by default', () => {
    const wrong = interpretationList.filter(
      ({ question, values, default: byDefault }) =>
        !question.endsWith('.') || Object.values(values).includes('') || !(byDefault in values),
    );
    expect(wrong).toEqual([]);
  });

  it('exist wherever a requirement rests on one', () => {
    const unknown = requirements.filter(
      ({ interpretation }) => interpretation !== undefined && !(interpretation in interpretations),
    );
    expect(unknown.map(({ id, interpretation }) => `${id} ${interpretation}`)).toEqual([]);
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
