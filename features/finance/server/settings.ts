import type { Secret } from '#foundation/server/secret.ts'
import type { FeatureValues } from '#foundation/server/feature-settings.ts'
import { minorUnits } from '#foundation/money.ts'
import { providerNames, type ProviderName } from '#features/finance/rules.ts'
import { optional, setting } from '#foundation/server/setting.ts'
import { choices, currency, origin, text, token, wholeNumber } from '#foundation/server/setting-kinds.ts'
import { aloneSettings, impossibleAllowances, staffAloneOf, type StaffAlone } from './alone-settings.ts'

const settings = {
  CURRENCY: setting('ISO 4217 code of all prices and balances; never change it later.', currency(), 'EUR'),
  TOP_UP_MIN: setting(
    'Smallest top-up, in whole units of the currency.',
    wholeNumber(1, 1_000_000, '5'),
    '5',
  ),
  TOP_UP_MAX: setting('Largest top-up.', wholeNumber(1, 1_000_000, '5000'), '5000'),
  BALANCE_CAP: setting('No balance is filled above this.', wholeNumber(1, 9_999_999, '10000'), '10000'),
  PAYMENTS: optional(
    'How balances are topped up: test, bank, stripe, mollie, or several with commas. Unset: all that are set up.',
    choices(...providerNames),
  ),
  BANK_ACCOUNT: optional(
    'Where bank transfers go, as customers shall read it: name, IBAN, BIC or bank, with commas. With an IBAN there is a QR code for banking apps.',
    text('the account'),
  ),
  ...aloneSettings,
  STRIPE_SECRET_KEY: optional('Secret key of your Stripe account.', token()),
  STRIPE_WEBHOOK_SECRET: optional(
    "Signing secret of Stripe's webhook to /api/payments/stripe/events/.",
    token(),
  ),
  STRIPE_API_ORIGIN: optional(
    'Another server than api.stripe.com; for tests, refused in production.',
    origin(),
  ),
  MOLLIE_API_KEY: optional('API key of your Mollie account: live_… or test_….', token()),
  MOLLIE_API_ORIGIN: optional(
    'Another server than api.mollie.com; for tests, refused in production.',
    origin(),
  ),
}

type Values = FeatureValues<typeof settings>

declare module '#foundation/server/config.ts' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be added to
  interface FeatureConfig {
    /** ISO 4217; the limits below are in its minor units. */
    currency: string
    topUp: { min: bigint; max: bigint; balanceCap: bigint }
    payments: ProviderName[]
    bankAccount: string
    /** Minor units that a member of each role moves without a second person. */
    staffAlone: StaffAlone
    stripe: {
      secretKey: Secret | undefined
      webhookSecret: Secret | undefined
      apiOrigin: string | undefined
    }
    mollie: { apiKey: Secret | undefined; apiOrigin: string | undefined }
  }
}

/** The currency, the limits of the balance, and the ways to pay. */
export const financeSettings = {
  settings,
  read: (values: Values, production: boolean) => ({
    currency: values.CURRENCY,
    topUp: {
      min: minorUnits(values.TOP_UP_MIN, values.CURRENCY),
      max: minorUnits(values.TOP_UP_MAX, values.CURRENCY),
      balanceCap: minorUnits(values.BALANCE_CAP, values.CURRENCY),
    },
    payments: values.PAYMENTS ?? paymentsSetUp(values, production),
    bankAccount: values.BANK_ACCOUNT ?? (production ? '' : exampleAccount),
    staffAlone: staffAloneOf(values),
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      apiOrigin: values.STRIPE_API_ORIGIN,
    },
    mollie: { apiKey: values.MOLLIE_API_KEY, apiOrigin: values.MOLLIE_API_ORIGIN },
  }),
  impossible: impossibleMoney,
  unsafe: unsafePayments,
  missing: incompletePayments,
}

function* impossibleMoney(values: Values): Generator<string> {
  if (values.TOP_UP_MIN > values.TOP_UP_MAX)
    yield 'TOP_UP_MIN is more than TOP_UP_MAX, so that nobody could top up. Set TOP_UP_MAX higher.'
  if (values.PAYMENTS?.includes('stripe') && !(values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRET))
    yield 'PAYMENTS names stripe without its keys. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.'
  if (values.PAYMENTS?.includes('mollie') && !values.MOLLIE_API_KEY)
    yield 'PAYMENTS names mollie without its key. Set MOLLIE_API_KEY.'
  yield* impossibleAllowances(values)
}

/** True for each way to pay that the settings suffice for; outside of production also for the ways that move no real money. */
const isSetUp: Record<ProviderName, (values: Values, production: boolean) => boolean> = {
  test: (_values, production) => !production,
  bank: ({ BANK_ACCOUNT }, production) => BANK_ACCOUNT !== undefined || !production,
  stripe: (values) => values.STRIPE_SECRET_KEY !== undefined && values.STRIPE_WEBHOOK_SECRET !== undefined,
  mollie: ({ MOLLIE_API_KEY }) => MOLLIE_API_KEY !== undefined,
}

const paymentsSetUp = (values: Values, production: boolean): ProviderName[] =>
  providerNames.filter((name) => isSetUp[name](values, production))

const exampleAccount = 'Hostdesk Demo, DE02 1203 0000 0000 2020 51, BYLADEM1001'

/** Returns a line for each way to pay that production refuses. */
function* unsafePayments(values: Values): Generator<string> {
  if (values.PAYMENTS?.includes('test'))
    yield 'PAYMENTS names test, where everybody pays with nothing, and NODE_ENV is production. Remove test.'
  if (values.PAYMENTS?.includes('bank') && !values.BANK_ACCOUNT)
    yield 'PAYMENTS names bank, but not where the money goes. Set BANK_ACCOUNT to name, IBAN and bank, or leave PAYMENTS out and enter it on the page Company.'
  if (values.STRIPE_API_ORIGIN)
    yield 'STRIPE_API_ORIGIN leads payments elsewhere, and NODE_ENV is production. Remove STRIPE_API_ORIGIN.'
  if (values.MOLLIE_API_ORIGIN)
    yield 'MOLLIE_API_ORIGIN leads payments elsewhere, and NODE_ENV is production. Remove MOLLIE_API_ORIGIN.'
}

function* incompletePayments(values: Values, production: boolean): Generator<string> {
  if (production && (values.PAYMENTS ?? paymentsSetUp(values, production)).length === 0)
    yield 'PAYMENTS: nobody can pay, because no way is set up. An owner enters the bank account on the page Company, /account/staff-company, or set BANK_ACCOUNT, or STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET, or MOLLIE_API_KEY.'
  if (
    production &&
    !values.TERMS_URL &&
    paymentsSetUp(values, production).some((name) => name === 'stripe' || name === 'mollie')
  )
    yield 'TERMS_URL is missing: customers pay by Stripe or Mollie, which asks for terms that they can read. Set it to the page of your terms.'
}
