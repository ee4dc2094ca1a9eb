import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { clearText, demandsStartTls, withoutTlsWord } from './clear-text.ts'
import { companyOf, incompleteCompany, impossibleCompany, unsafeCompany } from './company.ts'
import { ConfigError } from './config-error.ts'
import { minorUnits } from '#foundation/money.ts'
import { defaultDataDir } from './database/embedded/directories.ts'
import { isLoopbackName } from './loopback.ts'
import { keepSecretKey } from './secret-key.ts'
import { settings } from './settings.ts'
import type { SettingName } from './settings.ts'
import { mistyped } from './mistyped-settings.ts'

/**
 * Reads and checks all settings (product table in settings.ts). Throws ConfigError with one line for each that is bad.
 * Where SECRET_KEY is unset and allowed to be, the key is made and kept in DATA_DIR.
 */
export function loadConfig(env: NodeJS.ProcessEnv) {
  const production = env['NODE_ENV'] === 'production'
  const { values, lines } = readSettings(env)
  if (lines.length) throw new ConfigError(lines)
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`
  const refused = [
    ...invalidCombinations(values, publicOrigin),
    ...(production ? unsafeInProduction(values, publicOrigin) : []),
  ]
  if (refused.length) throw new ConfigError(refused)
  const dataDir = path.resolve(values.DATA_DIR ?? defaultDataDir(checkout))
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    /** Scheme, host and port without a slash behind. */
    publicOrigin,
    databaseUrl: values.DATABASE_URL && withoutTlsWord(values.DATABASE_URL),
    /** Absolute. */
    dataDir,
    /** The bucket of uploaded files; undefined: under dataDir. */
    bucket: values.S3_URL,
    /** In bytes. */
    storagePerCustomer: values.STORAGE_PER_CUSTOMER,
    /** The targets of links in mails; {key} stands for the key. */
    linkTemplates: linkTemplatesOf(values, publicOrigin),
    role: values.ROLE,
    smtpUrl: values.SMTP_URL && withoutTlsWord(values.SMTP_URL),
    /** No mail leaves without STARTTLS (rule 40). */
    demandsStartTls: production && demandsStartTls(values.SMTP_URL),
    mailFrom: values.MAIL_FROM ?? `${values.OPERATOR_NAME} <no-reply@${mailHost(publicOrigin)}>`,
    trustedProxies: values.TRUSTED_PROXIES,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    demo: values.DEMO === undefined ? !production : values.DEMO !== 'off',
    /** Example staff and /dev/ answer the whole network, as the operator said in so many words (rule 39). */
    isDemoPublic: values.DEMO === 'public',
    secretKey: values.SECRET_KEY ?? keepSecretKey(dataDir),
    signupOpen: values.SIGNUP_OPEN,
    sessionDays: values.SESSION_DAYS,
    passkeys: values.PASSKEYS,
    emailVerification: values.EMAIL_VERIFICATION,
    reauthenticateForAddresses: values.REAUTHENTICATE_FOR_ADDRESSES,
    totpToleranceSteps: values.TOTP_TOLERANCE_STEPS,
    operator: operatorOf(values),
    securityContact: values.SECURITY_CONTACT,
    /** ISO 4217; the limits below are minor units of it. */
    currency: values.CURRENCY,
    topUp: {
      min: minorUnits(values.TOP_UP_MIN, values.CURRENCY),
      max: minorUnits(values.TOP_UP_MAX, values.CURRENCY),
      balanceCap: minorUnits(values.BALANCE_CAP, values.CURRENCY),
    },
    payments: values.PAYMENTS ?? paymentsSetUp(values, production),
    bankAccount: values.BANK_ACCOUNT ?? exampleAccount,
    stripe: {
      secretKey: values.STRIPE_SECRET_KEY,
      webhookSecret: values.STRIPE_WEBHOOK_SECRET,
      apiOrigin: values.STRIPE_API_ORIGIN,
    },
    /** The issuer of the invoices. */
    company: companyOf(values),
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    /** Lines to print at start: names that look like a setting mistyped, and what makes documents that others refuse. */
    warnings: [...mistyped(env), ...incompleteCompany(values)],
  }
}

export type Config = ReturnType<typeof loadConfig>

const checkout = fileURLToPath(new URL('../..', import.meta.url))

type Values = { [Name in SettingName]: (typeof settings)[Name]['schema']['_zod']['output'] }

function readSettings(env: NodeJS.ProcessEnv): { values: Values; lines: string[] } {
  const values: Record<string, unknown> = {}
  const lines: string[] = []
  for (const [name, { schema, fallback }] of Object.entries(settings)) {
    const result = schema.safeParse(env[name]?.trim() || fallback)
    if (result.success) values[name] = result.data
    else lines.push(`${name} ${result.error.issues[0]?.message ?? 'is wrong'}.`)
  }
  return { values: values as Values, lines }
}

const operatorOf = (values: Values) => ({
  name: values.OPERATOR_NAME,
  logoFile: values.OPERATOR_LOGO_URL,
  accentColor: values.ACCENT_COLOR,
  supportEmail: values.SUPPORT_EMAIL,
  imprintUrl: values.IMPRINT_URL,
  privacyUrl: values.PRIVACY_URL,
  termsUrl: values.TERMS_URL,
})

const linkTemplatesOf = (values: Values, publicOrigin: string) => ({
  verify: values.LINK_VERIFY ?? `${publicOrigin}/account/auth?verify={key}`,
  reset: values.LINK_RESET ?? `${publicOrigin}/account/auth?reset={key}`,
  signup: values.LINK_SIGNUP ?? `${publicOrigin}/account/auth?view=signup`,
})

function* invalidCombinations(values: Values, publicOrigin: string): Generator<string> {
  if (values.RATE_LIMIT_SCALE !== 1 && !isLoopback(publicOrigin)) {
    yield 'RATE_LIMIT_SCALE loosens the guard against guessed passwords, and PUBLIC_ORIGIN is not this machine. Remove RATE_LIMIT_SCALE.'
  }
  if (values.TOP_UP_MIN > values.TOP_UP_MAX)
    yield 'TOP_UP_MIN is more than TOP_UP_MAX, so that nobody could top up. Set TOP_UP_MAX higher.'
  if (values.PAYMENTS?.includes('stripe') && !(values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRET))
    yield 'PAYMENTS names stripe without its keys. Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET.'
  yield* impossibleCompany(values)
  const logo = values.OPERATOR_LOGO_URL
  if (logo && !(fs.statSync(logo, { throwIfNoEntry: false })?.isFile() && /\.(svg|png|webp)$/i.test(logo))) {
    yield 'OPERATOR_LOGO_URL is no file on this machine ending in .svg, .png or .webp. Set it to the path of your logo.'
  }
}

/** Every way to pay that the settings suffice for; outside of production also those that move no real money. */
function paymentsSetUp(values: Values, production: boolean): ('test' | 'bank' | 'stripe')[] {
  return [
    ...(production ? [] : (['test'] as const)),
    ...(values.BANK_ACCOUNT || !production ? (['bank'] as const) : []),
    ...(values.STRIPE_SECRET_KEY && values.STRIPE_WEBHOOK_SECRET ? (['stripe'] as const) : []),
  ]
}

const exampleAccount = 'Hostdesk Demo, DE02 1203 0000 0000 2020 51, BYLADEM1001'

/** Settings that production refuses (NODE_ENV=production); the database's own state is checked after the first connection. */
function* unsafeInProduction(values: Values, publicOrigin: string): Generator<string> {
  if (values.DEMO && values.DEMO !== 'off')
    yield 'DEMO makes accounts with known passwords, and NODE_ENV is production. Remove DEMO.'
  if (!values.SECRET_KEY) yield 'SECRET_KEY is missing. Set it to the output of: openssl rand -base64 32'
  if (!values.SMTP_URL)
    yield 'SMTP_URL is missing, so that no mail would ever leave. Set it like smtp://user:password@mail.example.com:587.'
  if (values.PAYMENTS?.includes('test'))
    yield 'PAYMENTS names test, where everybody pays with nothing, and NODE_ENV is production. Remove test.'
  if (values.PAYMENTS?.includes('bank') && !values.BANK_ACCOUNT)
    yield 'PAYMENTS names bank, but not where the money goes. Set BANK_ACCOUNT to name, IBAN and bank.'
  if (values.STRIPE_API_ORIGIN)
    yield 'STRIPE_API_ORIGIN leads payments elsewhere, and NODE_ENV is production. Remove STRIPE_API_ORIGIN.'
  yield* clearText(values)
  yield* unsafeCompany(values)
  for (const name of ['LINK_VERIFY', 'LINK_RESET', 'LINK_SIGNUP'] as const)
    if (values[name]?.startsWith('http:') && !isLoopback(values[name]))
      yield `${name} is not https, so that keys would cross the network in clear. Set it like https://app.example.com/….`
  if (!publicOrigin.startsWith('https:') && !isLoopback(publicOrigin)) {
    yield 'PUBLIC_ORIGIN is not https, so that passwords would cross the network in clear. Set it like https://account.example.com.'
  }
}

const isLoopback = (origin: string): boolean => isLoopbackName(new URL(origin).hostname)

/** An address at an IP or at localhost is refused by mail servers; example.invalid says that it is nobody's. */
function mailHost(origin: string): string {
  const { hostname } = new URL(origin)
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? 'hostdesk.invalid' : hostname
}
