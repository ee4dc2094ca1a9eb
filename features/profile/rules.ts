/** The languages of the product. The uuids are part of the interface and never change. */
export const languages = [
  { uuid: '3f1c8a52-6f0e-4a3b-9d57-2b8e4c1a7e01', slug: 'en' },
  { uuid: '8b7d2e94-15c3-4f68-a0b9-6d3f5e2c9a02', slug: 'de' },
  { uuid: 'c4a96f17-9e2d-4b85-8c31-7f5a0d4e6b03', slug: 'ru' },
] as const

export const languageById = (uuid: string) => languages.find((language) => language.uuid === uuid)?.slug
export const languageId = (slug: string) =>
  (languages.find((known) => known.slug === slug) ?? languages[0]).uuid

/** The officially assigned codes of ISO 3166-1 alpha-2. Names are the reader's: `Intl.DisplayNames`. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
  'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
  'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
  'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
  'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
  'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ')

/** The longest text of each field, in code points. */
export const fieldLengths = {
  name: 100,
  middle_name: 100,
  surname: 100,
  address: 200,
  apartment: 50,
  zip: 20,
  city: 100,
  state: 100,
} as const

type Name = { name: string; middle_name: string; surname: string }

/** Name, middle name and surname as far as they are known (row R-13). */
export const fullName = ({ name, middle_name, surname }: Name) =>
  [name, middle_name, surname].filter(Boolean).join(' ')
