import type { Side } from '../spec/profiles.ts';
import { type AttestedWords, englishAttested } from './attested.ts';
import type { OverallVerdict } from './outcome.ts';
import type { DeviationState, RequirementVerdict } from './requirement-results.ts';

export const languages = ['en', 'nb'] as const;
export type Language = (typeof languages)[number];

/** The fixed words of `requirements.html`. What the catalogue, the checks and the bank say stays in their own language. */
export interface MatrixWords {
  readonly page: string;
  readonly skip: string;
  readonly interrupted: string;
  readonly report: string;
  readonly certificate: string;
  readonly attested: AttestedWords;
  readonly facts: Readonly<
    Record<
      | 'baseUrl'
      | 'environment'
      | 'started'
      | 'duration'
      | 'tool'
      | 'catalogue'
      | 'seed'
      | 'part'
      | 'certificate',
      string
    >
  >;
  readonly seconds: (seconds: string, requests: number) => string;
  readonly cases: (seed: number, runs: number) => string;
  readonly notVerified: string;
  readonly overall: Readonly<Record<OverallVerdict, string>>;
  readonly verdicts: Readonly<Record<RequirementVerdict, string>>;
  readonly meanings: Readonly<Record<RequirementVerdict, string>>;
  readonly deviationStates: Readonly<Record<DeviationState, string>>;
  readonly headings: Readonly<
    Record<
      | 'summary'
      | 'sections'
      | 'trend'
      | 'profiles'
      | 'broken'
      | 'warnings'
      | 'deviations'
      | 'requirements'
      | 'notJudged'
      | 'leftOpen'
      | 'unobservable'
      | 'interpretations'
      | 'notBinding'
      | 'remarks'
      | 'checks'
      | 'contents'
      | 'verdicts',
      string
    >
  >;
  readonly columns: Readonly<
    Record<
      | 'id'
      | 'statement'
      | 'level'
      | 'levelAndProfiles'
      | 'verdict'
      | 'checks'
      | 'proof'
      | 'profile'
      | 'title'
      | 'version'
      | 'judged'
      | 'against'
      | 'what'
      | 'kind'
      | 'why'
      | 'requirement'
      | 'reason'
      | 'until'
      | 'state'
      | 'interpretation'
      | 'open'
      | 'taken'
      | 'seen'
      | 'run',
      string
    >
  >;
  readonly bind: (count: number, side: Side) => string;
  readonly hidden: (count: number, notTested: number) => string;
  readonly profilesIntro: string;
  readonly interpretationsIntro: string;
  readonly trendIntro: string;
  readonly firstRun: string;
  readonly proofIntro: string;
  readonly of: (part: number, whole: number) => string;
  readonly reading: string;
  readonly unobservable: string;
  readonly knownDeviation: string;
  readonly excused: string;
  readonly broken: string;
  readonly notExercised: string;
  readonly missingJourneys: string;
  readonly openEnd: string;
  readonly andMore: (count: number) => string;
  readonly everythingJudged: string;
  readonly notCited: string;
  readonly filter: {
    readonly search: string;
    readonly verdict: string;
    readonly section: string;
    readonly all: string;
    readonly clear: string;
    /** With %shown and %all. */
    readonly count: string;
    readonly none: string;
  };
  readonly printed: (count: number) => string;
  readonly written: string;
}

const en: MatrixWords = {
  page: 'requirement matrix',
  skip: 'Skip to the requirements',
  interrupted: 'interrupted',
  report: 'Report with every exchange',
  certificate: 'Certificate',
  attested: englishAttested,
  facts: {
    baseUrl: 'Base URL',
    environment: 'Environment',
    started: 'Started',
    duration: 'Duration',
    tool: 'Tool',
    catalogue: 'Catalogue',
    seed: 'Seed',
    part: 'Only a part was judged',
    certificate: 'Certificate of the bank',
  },
  seconds: (seconds, requests) => `${seconds} s, ${requests} ${requests === 1 ? 'request' : 'requests'}`,
  cases: (seed, runs) => `${seed}, ${runs} cases per property`,
  notVerified: 'not verified (tls.insecure)',
  overall: {
    conformant: 'conformant',
    'non-conformant': 'non-conformant',
    incomplete: 'incomplete',
    partial: 'partial',
  },
  verdicts: {
    pass: 'pass',
    fail: 'fail',
    warning: 'warning',
    'not-applicable': 'not applicable',
    inconclusive: 'inconclusive',
    error: 'error of this tool',
    'not-tested': 'not tested',
  },
  meanings: {
    pass: 'Every check of it that applies held.',
    fail: 'At least one check found it broken.',
    warning: 'It should be met, or is advice, and was not.',
    inconclusive: 'Transport, overload or a refused control left it open.',
    error: 'A check broke down; that says nothing about the target.',
    'not-applicable': 'The target does not offer what its checks need, or the TPP has not shown it.',
    'not-tested': 'No check of this run judges it.',
  },
  deviationStates: {
    happens: 'happens, accepted',
    'not-exercised': 'not exercised',
    gone: 'no longer happens',
    expired: 'past its date',
    'without-reason': 'without a reason',
    'unknown-requirement': 'unknown requirement',
  },
  headings: {
    summary: 'Summary',
    sections: 'By section of the specification',
    trend: 'Earlier runs',
    profiles: 'Profiles',
    broken: 'Broken requirements',
    warnings: 'Warnings',
    deviations: 'Known deviations',
    requirements: 'Requirements',
    notJudged: 'What was not judged, and why',
    leftOpen: 'Left open by this run',
    unobservable: 'Not observable from outside',
    interpretations: 'Readings of the specification',
    notBinding: 'Not binding, and no gap',
    remarks: 'Remarks before the first check',
    checks: 'Checks',
    contents: 'Contents',
    verdicts: 'What the verdicts mean',
  },
  columns: {
    id: 'Id',
    statement: 'Statement',
    level: 'Level',
    levelAndProfiles: 'Level, profiles',
    verdict: 'Verdict',
    checks: 'Checks, with their evidence',
    proof: 'Proof',
    profile: 'Profile',
    title: 'Title',
    version: 'Version',
    judged: 'Judged',
    against: 'What stands against it',
    what: 'What',
    kind: 'Kind',
    why: 'Why',
    requirement: 'Requirement',
    reason: 'Reason',
    until: 'Until',
    state: 'State',
    interpretation: 'Reading',
    open: 'What is open',
    taken: 'What was taken',
    seen: 'What was seen',
    run: 'Run',
  },
  bind: (count, side) => `${count} requirements bind a ${side === 'tpp' ? 'TPP' : 'bank'}:`,
  hidden: (count, notTested) =>
    count === notTested
      ? 'What was not tested cannot be observed from outside.'
      : `Of those not tested, ${count} cannot be observed from outside.`,
  profilesIntro: 'Each includes the requirements of core. The verdict of the run is the worst of them.',
  interpretationsIntro: 'Where the specification is silent or contradicts itself, these readings were taken.',
  trendIntro: 'Whole runs of this target, the oldest first; each column shows its requirements by verdict.',
  firstRun: 'No earlier run of this target is known. Keep the history file, and the next run shows a trend.',
  proofIntro:
    'The column Proof says how much a pass is worth: the requirement was broken on purpose in so many ways, and the checks noticed so many of them.',
  of: (part, whole) => `${part} of ${whole}`,
  reading: 'Reading',
  unobservable: 'cannot be observed',
  knownDeviation: 'known deviation',
  excused: 'excused failures',
  broken: 'Broken',
  notExercised: 'Not exercised',
  missingJourneys: 'Journeys not completed',
  openEnd: 'open',
  andMore: (count) => `(and ${count} more)`,
  everythingJudged: 'Nothing: every requirement was judged.',
  notCited: 'No check of this run judges it.',
  filter: {
    search: 'Search ids, statements and checks',
    verdict: 'Verdict',
    section: 'Section',
    all: 'all',
    clear: 'Clear',
    count: '%shown of %all requirements',
    none: 'Nothing matches.',
  },
  printed: (count) =>
    `The verdicts on all ${count} requirements, with the evidence, are in requirements.html.`,
  written: 'Written from the journal of the run. It loads nothing; its only script is the filter.',
};

const nb: MatrixWords = {
  page: 'kravmatrise',
  skip: 'Hopp til kravene',
  interrupted: 'avbrutt',
  report: 'Rapport med alle utvekslinger',
  certificate: 'Sertifikat (engelsk)',
  attested: {
    notAttested:
      'Denne siden er ikke attestert: den som har den, kan ha endret den. run og report attesterer det de skriver.',
    unsigned: (statement) =>
      `Kjøringen er attestert uten signatur; erklæring SHA-256 ${statement}. Kommandoen verify kontrollerer den.`,
    signed: (statement, keyFingerprint) =>
      `Kjøringen er attestert og signert med nøkkelen SHA-256 ${keyFingerprint}; erklæring SHA-256 ${statement}. Kommandoen verify kontrollerer begge.`,
  },
  facts: {
    baseUrl: 'Adresse',
    environment: 'Miljø',
    started: 'Startet',
    duration: 'Varighet',
    tool: 'Verktøy',
    catalogue: 'Kravkatalog',
    seed: 'Frø',
    part: 'Bare en del er vurdert',
    certificate: 'Bankens sertifikat',
  },
  seconds: (seconds, requests) =>
    `${seconds.replace('.', ',')} s, ${requests} ${requests === 1 ? 'forespørsel' : 'forespørsler'}`,
  cases: (seed, runs) => `${seed}, ${runs} tilfeller per egenskap`,
  notVerified: 'ikke kontrollert (tls.insecure)',
  overall: {
    conformant: 'i samsvar',
    'non-conformant': 'ikke i samsvar',
    incomplete: 'ufullstendig',
    partial: 'delvis',
  },
  verdicts: {
    pass: 'oppfylt',
    fail: 'brutt',
    warning: 'advarsel',
    'not-applicable': 'ikke aktuelt',
    inconclusive: 'uavklart',
    error: 'feil i verktøyet',
    'not-tested': 'ikke prøvd',
  },
  meanings: {
    pass: 'Alle kontroller av kravet som er aktuelle, var oppfylt.',
    fail: 'Minst én kontroll fant kravet brutt.',
    warning: 'Kravet bør oppfylles, eller er et råd, og var ikke oppfylt.',
    inconclusive:
      'Nettet, overbelastning eller en avvist kontrollforespørsel gjorde at det ble stående åpent.',
    error: 'En kontroll brøt sammen; det sier ingenting om den som vurderes.',
    'not-applicable': 'Det kontrollene trenger, tilbys ikke, eller er ikke vist av TPP-en.',
    'not-tested': 'Ingen kontroll i denne kjøringen viser til kravet.',
  },
  deviationStates: {
    happens: 'forekommer, godtatt',
    'not-exercised': 'ikke prøvd',
    gone: 'forekommer ikke lenger',
    expired: 'fristen er ute',
    'without-reason': 'uten begrunnelse',
    'unknown-requirement': 'ukjent krav',
  },
  headings: {
    summary: 'Sammendrag',
    sections: 'Etter kapittel i spesifikasjonen',
    trend: 'Tidligere kjøringer',
    profiles: 'Profiler',
    broken: 'Brutte krav',
    warnings: 'Advarsler',
    deviations: 'Kjente avvik',
    requirements: 'Krav',
    notJudged: 'Hva som ikke er vurdert, og hvorfor',
    leftOpen: 'Ikke avgjort i denne kjøringen',
    unobservable: 'Kan ikke observeres utenfra',
    interpretations: 'Tolkninger',
    notBinding: 'Ikke bindende, og ingen mangel',
    remarks: 'Merknader før den første kontrollen',
    checks: 'Kontroller',
    contents: 'Innhold',
    verdicts: 'Hva vurderingene betyr',
  },
  columns: {
    id: 'Id',
    statement: 'Krav',
    level: 'Nivå',
    levelAndProfiles: 'Nivå, profiler',
    verdict: 'Vurdering',
    checks: 'Kontroller, med bevis',
    proof: 'Prøvd',
    profile: 'Profil',
    title: 'Tittel',
    version: 'Versjon',
    judged: 'Vurdert',
    against: 'Hva som står i veien',
    what: 'Hva',
    kind: 'Slag',
    why: 'Hvorfor',
    requirement: 'Krav',
    reason: 'Begrunnelse',
    until: 'Til',
    state: 'Status',
    interpretation: 'Tolkning',
    open: 'Hva som er åpent',
    taken: 'Valgt tolkning',
    seen: 'Hva som ble sett',
    run: 'Kjøring',
  },
  bind: (count, side) => `${count} krav binder en ${side === 'tpp' ? 'TPP' : 'bank'}:`,
  hidden: (count, notTested) =>
    count === notTested
      ? 'Det som ikke er prøvd, kan ikke observeres utenfra.'
      : `Av de ikke prøvde kan ${count} ikke observeres utenfra.`,
  profilesIntro: 'Hver profil omfatter kravene i core. Kjøringens vurdering er den dårligste av dem.',
  interpretationsIntro:
    'Der spesifikasjonen tier eller motsier seg selv, er disse tolkningene lagt til grunn.',
  trendIntro: 'Hele kjøringer mot samme mål, den eldste først; hver søyle viser kravene etter vurdering.',
  firstRun:
    'Ingen tidligere kjøring er kjent. Ta vare på historikkfilen, så viser neste kjøring utviklingen.',
  proofIntro:
    'Prøvd: av så mange måter å bryte kravet på blir så mange oppdaget av kontrollene (npm run proof).',
  of: (part, whole) => `${part} av ${whole}`,
  reading: 'Tolkning',
  unobservable: 'kan ikke observeres',
  knownDeviation: 'kjent avvik',
  excused: 'unnskyldte brudd',
  broken: 'Brutt',
  notExercised: 'Ikke prøvd',
  missingJourneys: 'Forløp som ikke er fullført',
  openEnd: 'åpen',
  andMore: (count) => `(og ${count} til)`,
  everythingJudged: 'Ingenting: alle krav er vurdert.',
  notCited: 'Ingen kontroll i denne kjøringen viser til kravet.',
  filter: {
    search: 'Søk i id-er, krav og kontroller',
    verdict: 'Vurdering',
    section: 'Kapittel',
    all: 'alle',
    clear: 'Nullstill',
    count: '%shown av %all krav',
    none: 'Ingen treff.',
  },
  printed: (count) => `Vurderingen av alle ${count} krav, med bevis, står i requirements.html.`,
  written: 'Skrevet fra kjøringens journal. Siden henter ingenting; det eneste skriptet er filteret.',
};

export const matrixWords: Readonly<Record<Language, MatrixWords>> = { en, nb };
