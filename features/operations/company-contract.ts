import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'
import { identifier, multilineText, requiredText, text } from '#foundation/fields.ts'
import { count, named, time, uuidText } from '#foundation/printed.ts'
import { permission, staff } from '#foundation/roles.ts'
import { plainNumber } from '#foundation/typed-code.ts'
import { changedReply, version } from '#foundation/versions.ts'
import { plainVatId } from '#features/profile/rules.ts'
import { companyFields, LONGEST_CLOSING, ofEachCompanyField } from './company-fields.ts'

/** The calls of owners who change the seller: its data, its bank account, its logo. These win over the settings. */

export const readPermission = permission('company.read', [], { ownerOnly: true })
export const changePermission = permission('company.change', [], { proof: 'recent', ownerOnly: true })

/** Each has versions of its own. */
export const sections = ['company', 'bank', 'logo', 'words'] as const
export type Section = (typeof sections)[number]

const company = z.strictObject({ version, ...ofEachCompanyField(() => z.string()) })
named('Company', company)
export type CompanyData = z.infer<typeof company>

const exampleSeller = z.strictObject({
  name: z.string(),
  street: z.string(),
  zip: z.string(),
  city: z.string(),
  vat_id: z.string(),
  tax_number: z.string(),
  register: z.string(),
  email: z.string(),
  phone: z.string(),
})
named('ExampleSeller', exampleSeller)

const bank = z.strictObject({ version, holder: z.string(), iban: z.string(), bic: z.string() })
named('CompanyBank', bank)
export type BankData = z.infer<typeof bank>

const logo = z.strictObject({
  version,
  /** The address of the picture; null if there is none. */
  image: z.nullable(z.string()),
})
named('CompanyLogo', logo)

const words = z.strictObject({
  version,
  closing_en: z.string(),
  closing_de: z.string(),
  closing_ru: z.string(),
})
named('CompanyWords', words)
export type WordsData = z.infer<typeof words>

/** A version of a section, and what it changed. */
export const pastFields = {
  /** Version 1 is what the settings of the server say. */
  version: count(),
  changed_by: z.nullable(z.strictObject({ id: uuidText(), name: z.string() })),
  /** Null for version 1. */
  changed_at: z.nullable(time()),
  is_present: z.boolean(),
  /** The fields that it changed; null stands for the settings of the server. */
  changes: z.array(
    z.strictObject({ field: z.string(), before: z.nullable(z.string()), after: z.nullable(z.string()) }),
  ),
}
const past = z.strictObject({ section: z.enum(sections), ...pastFields })
named('CompanyVersion', past)
export type CompanyVersion = z.infer<typeof past>

export const readCompany = route({
  id: 'readCompany',
  tag: 'Staff operations',
  method: 'GET',
  path: '/api/staff/company/',
  access: staff(readPermission),
  summary: 'The seller as it is now, and all its versions',
  description:
    'The seller as it is now: what owners have changed here, and else what the settings of the server say. `history` has the newest 200 versions',
  replies: {
    200: z.strictObject({
      company,
      bank,
      logo,
      words,
      /** The seller on documents until there is one; null once there is. */
      example: z.nullable(exampleSeller),
      /** A real mail with example data in each language; `{words}` stands where your words come. */
      mails: z.strictObject({ en: z.string(), de: z.string(), ru: z.string() }),
      history: z.array(past),
    }),
  },
})
named('CompanyPage', readCompany.replies[200])
export type CompanyPage = z.infer<(typeof readCompany)['replies'][200]>

const theVersion = {
  /** If given and stale, nothing changes, and 409 carries the present state. */
  version: z.optional(version),
}

export const changeCompany = route({
  id: 'changeCompany',
  tag: 'Staff operations',
  method: 'PATCH',
  path: '/api/staff/company/',
  access: staff(changePermission, 'none'),
  summary: 'Change the named data of the seller',
  description:
    'Change the named data of the seller. Documents from now on carry them; those that are issued stay as they are',
  body: z.strictObject({
    ...ofEachCompanyField((name) => {
      const { most, ...field } = companyFields[name]
      return z.optional('isRequired' in field ? requiredText(most) : text(most))
    }),
    vat_id: z.optional(identifier(plainVatId, companyFields.vat_id.most)),
    ...theVersion,
  }),
  replies: { 200: company, 409: changedReply(company) },
  errors: { 400: ['invalid_vat_id', 'unknown_country', 'seller_not_possible'], 409: ['changed'] },
})

export const changeBank = route({
  id: 'changeBank',
  tag: 'Staff operations',
  method: 'PATCH',
  path: '/api/staff/company/bank/',
  access: staff(changePermission, 'none'),
  summary: 'Change the bank account to which customers transfer money',
  body: z.strictObject({
    holder: z.optional(requiredText(70)),
    iban: z.optional(identifier(plainNumber, 34)),
    bic: z.optional(identifier(plainNumber, 11)),
    ...theVersion,
  }),
  replies: { 200: bank, 409: changedReply(bank) },
  errors: { 400: ['invalid_iban'], 409: ['changed'] },
})

/** The longest PNG, in base64: each mail carries it. */
const LONGEST_LOGO = 54_000

export const changeLogo = route({
  id: 'changeLogo',
  tag: 'Staff operations',
  method: 'PUT',
  path: '/api/staff/company/logo/',
  access: staff(changePermission, 'none'),
  summary: 'Change the logo, or take it away',
  description:
    'Change the logo of pages, mails and invoices that are drawn from now on: a PNG of at most 40 kB and 2,000 pixels a side, in base64; null takes it away',
  body: z.strictObject({
    png: z.nullable(
      z.string().check(z.maxLength(LONGEST_LOGO, 'logo_too_large'), z.regex(/^[\w+/]+=*$/, 'not_a_png')),
    ),
    ...theVersion,
  }),
  replies: { 200: logo, 409: changedReply(logo) },
  errors: { 400: ['not_a_png', 'logo_too_large'], 409: ['changed'] },
})

const closing = () => z.optional(multilineText(LONGEST_CLOSING))

export const changeWords = route({
  id: 'changeWords',
  tag: 'Staff operations',
  method: 'PATCH',
  path: '/api/staff/company/words/',
  access: staff(changePermission, 'none'),
  summary: 'Change the words at the end of mails',
  description:
    'Change the words at the end of every mail; `{operator}` and `{support_email}` in them are filled in, and no words leave the mail as it was',
  body: z.strictObject({
    closing_en: closing(),
    closing_de: closing(),
    closing_ru: closing(),
    ...theVersion,
  }),
  replies: { 200: words, 409: changedReply(words) },
  errors: { 400: ['unknown_placeholder'], 409: ['changed'] },
})

export const restoreCompany = route({
  id: 'restoreCompany',
  tag: 'Staff operations',
  method: 'POST',
  path: '/api/staff/company/{section}/restore/',
  access: staff(changePermission, 'none'),
  summary: 'Go back to an earlier version',
  description:
    'Go back to an earlier version of a section, by a new version that keeps the same; 1 is what the settings of the server say. The section of a kind of mail is its name behind `mail_`, and its version 1 are our words',
  params: z.strictObject({ section: z.string().check(z.regex(/^[a-z_]{1,40}$/)) }),
  body: z.strictObject({ version, to: version }),
  replies: { 204: null },
  errors: { 400: ['seller_not_possible', 'required'], 409: ['changed'] },
})
