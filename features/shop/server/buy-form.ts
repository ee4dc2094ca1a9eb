import { missingInAddress, needsAddress } from '#features/invoices/rules.ts'
import type { Plan } from '#features/licences/contract.ts'
import { fieldLengths } from '#features/profile/contract.ts'
import { countryCodes, plainCountry } from '#features/profile/rules.ts'
import { isIpv4, isPrintable, NAME_LENGTH } from '#features/hosts/rules.ts'
import { canonicalEmail } from '#foundation/email-address.ts'
import { amountOf } from '#foundation/money.ts'
import type { App } from '#foundation/server/app.ts'
import type { ErrorCode } from '#texts/errors.js'

/** The fields of the form that buys a plan. `website` is for programs: people do not see it. */
const names = [
  ...([
    'email',
    'country',
    'server',
    'ipv4',
    'name',
    'surname',
    'company',
    'address',
    'zip',
    'city',
  ] as const),
  ...([
    'provider',
    'code',
    'total',
    'sum_of',
    'form',
    'terms',
    'begin_now',
    'place',
    'website',
    'act',
  ] as const),
] as const
export type FieldName = (typeof names)[number]

/** The fields as they were typed; empty where one is missing. `pieces` are the quantities of extras, by slug. */
export type Typed = Record<FieldName, string> & { pieces: Record<string, number> }

/** The errors by field; '' is the form as a whole. */
export type Faults = Partial<Record<FieldName | '', ErrorCode>>

const LONGEST = 320
const CODE_LENGTH = 40

/** Reads the form: text without its outer blanks, and nothing longer than any field may be. */
export function typedIn(body: unknown): Typed {
  const text = (name: FieldName): string => {
    const value: unknown = Reflect.get(Object(body), name)
    return typeof value === 'string'
      ? value
          .toWellFormed()
          .replaceAll(/\p{Cc}/gu, ' ')
          .trim()
          .slice(0, LONGEST)
      : ''
  }
  const read = Object.fromEntries(names.map((name) => [name, text(name)]))
  const pieces = piecesIn(body)
  return { ...empty, ...read, country: plainCountry(text('country').toUpperCase()), pieces }
}

/** The typed quantities of extras; anything else than a number of at most three digits counts as none. */
function piecesIn(body: unknown): Record<string, number> {
  const fields = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return Object.fromEntries(
    fields.flatMap(([name, value]: [string, unknown]) => {
      const [, slug] = /^extra\.([a-z\d-]{1,64})$/.exec(name) ?? []
      const isNumber = typeof value === 'string' && /^[1-9]\d{0,2}$/.test(value.trim())
      return slug !== undefined && isNumber ? [[slug, Number(value)]] : []
    }),
  )
}

const empty: Omit<Typed, 'pieces'> = {
  email: '',
  country: '',
  server: '',
  ipv4: '',
  name: '',
  surname: '',
  company: '',
  address: '',
  zip: '',
  city: '',
  provider: '',
  code: '',
  sum_of: '',
  total: '',
  form: '',
  terms: '',
  begin_now: '',
  place: '',
  website: '',
  act: '',
}

/** True if the invoice of this purchase has to name its buyer. */
export const asksForAddress = (plan: Plan, { company }: Pick<Typed, 'company'>): boolean =>
  needsAddress({ company, vat_id: '' }, amountOf(plan.price_total), plan.nameless_up_to)

const lengths: Partial<Record<FieldName, number>> = {
  ...fieldLengths,
  server: NAME_LENGTH,
  code: CODE_LENGTH,
}

type Asked = {
  plan: Plan
  /** The country of the visitor's network, or null. */
  network: string | null
}

/** Returns what is wrong with a form by itself, field by field; the order that it would make is tried afterwards. */
export function faultsIn(app: App, typed: Typed, { plan, network }: Asked): Faults {
  const faults: Faults = {}
  for (const name of names)
    if ([...typed[name]].length > (lengths[name] ?? LONGEST)) faults[name] = 'max_length'
  if (!isPrintable(typed.server)) faults.server = 'invalid'
  if (typed.email === '') faults.email = 'required'
  else if (canonicalEmail(typed.email) === undefined) faults.email = 'invalid_email'
  if (!countryCodes.includes(typed.country)) faults.country = 'unknown_country'
  if (plan.product?.asks_address !== false && !isIpv4(typed.ipv4))
    faults.ipv4 = typed.ipv4 === '' ? 'required' : 'invalid_ipv4'
  if (asksForAddress(plan, typed))
    for (const field of missingInAddress({ ...typed, vat_id: '' }))
      if (field !== 'vat_id') faults[field] ??= 'required'
  if (app.config.operator.termsVersion !== undefined && typed.terms !== app.config.operator.termsVersion)
    faults.terms = 'terms_not_accepted'
  if (plan.withdrawal_url !== undefined && typed.begin_now === '') faults.begin_now = 'required'
  if (asksForPlace(typed, network) && typed.place !== typed.country) faults.place = 'required'
  if (typed.total !== plan.price_total.amount) faults[''] = 'price_changed'
  return faults
}

/** True if network and address name two countries: the buyer is asked before the payment, whose card then decides (decision 202). */
export const asksForPlace = ({ country }: Pick<Typed, 'country'>, network: string | null): boolean =>
  network !== null && country !== '' && plainCountry(network) !== country
