/** The codes of a list that is written with white space between them. */
export const words = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The countries of the specification (Shared value types): ISO 3166-1 alpha-2. */
export const countries: readonly string[] = words(`
  AF AX AL DZ AS AD AO AI AQ AG AR AM AW AU AT AZ BH BS BD BB
  BY BE BZ BJ BM BT BO BQ BA BW BV BR IO BN BG BF BI KH CM CA
  CV KY CF TD CL CN CX CC CO KM CG CD CK CR CI HR CU CW CY CZ
  DK DJ DM DO EC EG SV GQ ER EE ET FK FO FJ FI FR GF PF TF GA
  GM GE DE GH GI GR GL GD GP GU GT GG GN GW GY HT HM VA HN HK
  HU IS IN ID IR IQ IE IM IL IT JM JP JE JO KZ KE KI KP KR KW
  KG LA LV LB LS LR LY LI LT LU MO MK MG MW MY MV ML MT MH MQ
  MR MU YT MX FM MD MC MN ME MS MA MZ MM NA NR NP NL NC NZ NI
  NE NG NU NF MP NO OM PK PW PS PA PG PY PE PH PN PL PT PR QA
  RE RO RU RW BL SH KN LC MF PM VC WS SM ST SA SN RS SC SL SG
  SX SK SI SB SO ZA GS SS ES LK SD SR SJ SZ SE CH SY TW TJ TZ
  TH TL TG TK TO TT TN TR TM TC TV UG UA AE GB US UM UY UZ VU
  VE VN VG VI WF EH YE ZM ZW
`);

/** Codes in wide use that are no ISO 3166-1 country: the fairest examples of an unknown one. */
export const unlistedCountries: readonly string[] = ['XK', 'UK', 'ZZ'];

/**
 * Countries that measures of the United Nations or the European Union name, and Cuba: whoever lives there may be
 * refused for that reason, which is no fault of form (reading `sanctions`).
 */
export const sanctionedCountries: ReadonlySet<string> = new Set(
  words('AF BI BY CD CF CU GN GW HT IQ IR KP LB LY ML MM NE NI RU SD SO SS SY VE YE ZW'),
);

/** Their currencies, as far as they are listed. */
export const sanctionedCurrencies: ReadonlySet<string> = new Set(
  words('AFN BIF BYR CDF CUC CUP GNF HTG IQD IRR KPW LBP LYD MMK NIO RUB SDG SOS SYP VEF YER ZWD'),
);

export const unsanctionedCountries: readonly string[] = countries.filter(
  (country) => !sanctionedCountries.has(country),
);

/** What a bank is most likely to lack or to meet: codes that are young or depend on another country, and those paid most. */
export const tellingCountries: ReadonlySet<string> = new Set(
  words('AX BQ CW GG IM JE ME PS RS SJ SS SX TL TW BV HK NO SE DK FI IS GB US DE PL NL FR ES LT CN IN'),
);
