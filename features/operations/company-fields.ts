import { m } from '#texts/messages.js'

type Field = {
  /** The setting of the environment that it wins over. */
  setting: string
  most: number
  /** How many of six columns it takes. */
  span: 2 | 3 | 4 | 6
  label: () => string
  hint?: () => string
  isRequired?: true
}

/** The data of the company. Contract, statements and page are made of this list; the country is chosen, not typed. */
export const companyFields = {
  name: { setting: 'COMPANY_NAME', most: 200, span: 6, label: m.operations_company_name, isRequired: true },
  street: {
    setting: 'COMPANY_STREET',
    most: 200,
    span: 6,
    label: m.operations_company_street,
    isRequired: true,
  },
  zip: { setting: 'COMPANY_ZIP', most: 20, span: 2, label: m.operations_company_zip, isRequired: true },
  city: { setting: 'COMPANY_CITY', most: 100, span: 4, label: m.operations_company_city, isRequired: true },
  country: {
    setting: 'COMPANY_COUNTRY',
    most: 2,
    span: 6,
    label: m.operations_company_country,
    isRequired: true,
  },
  vat_id: { setting: 'COMPANY_VAT_ID', most: 30, span: 3, label: m.operations_company_vat_id },
  tax_number: { setting: 'COMPANY_TAX_NUMBER', most: 50, span: 3, label: m.operations_company_tax_number },
  register: { setting: 'COMPANY_REGISTER', most: 200, span: 6, label: m.operations_company_register },
  email: { setting: 'COMPANY_EMAIL', most: 254, span: 3, label: m.operations_company_email },
  phone: { setting: 'COMPANY_PHONE', most: 50, span: 3, label: m.operations_company_phone },
  operator_name: {
    setting: 'OPERATOR_NAME',
    most: 100,
    span: 3,
    label: m.operations_company_operator_name,
    hint: m.operations_company_operator_name_hint,
    isRequired: true,
  },
  support_email: { setting: 'SUPPORT_EMAIL', most: 254, span: 3, label: m.operations_company_support_email },
  imprint_url: { setting: 'IMPRINT_URL', most: 1000, span: 6, label: m.operations_company_imprint },
  privacy_url: { setting: 'PRIVACY_URL', most: 1000, span: 6, label: m.operations_company_privacy },
  terms_url: { setting: 'TERMS_URL', most: 1000, span: 6, label: m.operations_company_terms },
} as const satisfies Record<string, Field>

export type CompanyField = keyof typeof companyFields

export const companyFieldNames = namesOf(companyFields)

/** Makes one thing of each field, under its name. */
export function ofEachCompanyField<Made>(make: (name: CompanyField) => Made): Record<CompanyField, Made>
export function ofEachCompanyField(make: (name: CompanyField) => unknown): object {
  return Object.fromEntries(companyFieldNames.map((name) => [name, make(name)]))
}

function namesOf<Name extends string>(named: Readonly<Record<Name, unknown>>): Name[]
function namesOf(named: object): string[] {
  return Object.keys(named)
}

/** The names under which the history shows what was changed, by the settings that are kept. */
export const changedFields: Readonly<Record<string, string>> = {
  ...Object.fromEntries(companyFieldNames.map((name) => [companyFields[name].setting, name])),
  MAIL_CLOSING_EN: 'closing_en',
  MAIL_CLOSING_DE: 'closing_de',
  MAIL_CLOSING_RU: 'closing_ru',
  BANK_ACCOUNT: 'account',
  OPERATOR_LOGO_URL: 'logo',
}

/** The longest words at the end of mails. */
export const LONGEST_CLOSING = 500

/** True if the words name nothing in braces but what mails fill in. */
export const hasKnownPlaceholders = (words: string): boolean =>
  !/[{}]/.test(words.replaceAll('{operator}', '').replaceAll('{support_email}', ''))

/** The place of the words in the example that the page shows. */
export const WORDS = '{words}'
