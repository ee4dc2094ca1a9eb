import path from 'node:path'
import type { SealedFor } from './backup/age/age.ts'
import { clearText, demandsStartTls, withoutTlsWord } from './clear-text.ts'
import { ConfigError } from './config-error.ts'
import { addressesOf } from './database/addresses.ts'
import { defaultDataDir } from './database/embedded/directories.ts'
import { isLoopbackName } from './loopback.ts'
import type { Secret } from './secret.ts'
import { keepSecretKey } from './secret-key.ts'
import { settings } from './settings.ts'
import type { FeatureSettings } from './feature-settings.ts'
import type { Settings, ValuesOf } from './setting.ts'
import { mistyped } from './mistyped-settings.ts'

/** The part of the configuration that features add: each feature declares its own part beside its settings. */
// eslint-disable-next-line typescript/consistent-type-definitions, typescript/no-empty-interface -- only an interface can be added to
export interface FeatureConfig {}

export type Config = ReturnType<typeof installationOf> &
  FeatureConfig & {
    operator: ReturnType<typeof operatorOf> & { mailWords: Kept }
    mailFrom: string
    /** Lines about settings that work, but not as the operator would want. */
    warnings: string[]
    /** The warnings about what customers lack, which the first pages of staff show. */
    missing: string[]
    /** Reads all settings again with some others, which win. Returns what pages may change; throws ConfigError. */
    rereadWith: (kept: Kept) => FeatureConfig
  }

/** Settings that are kept in the database, by their names. */
export type Kept = Readonly<Record<string, string>>

/**
 * Reads and checks all settings, the installation's and the `features`'. Throws ConfigError with one line for each setting that is bad. If
 * SECRET_KEY is unset outside production, a key is made and kept in DATA_DIR. The programs call `loadConfig` (app/server/config.ts), which
 * knows all features.
 */
export function readConfig(env: NodeJS.ProcessEnv, features: readonly FeatureSettings[]): Config {
  const { values, place, changeable } = judged(env, features)
  const rereadWith = (kept: Kept) => changed(judged(env, features, kept).changeable)
  return joined(installationOf(values, place), changeable, { rereadWith })
}

/** Reads and checks the settings. Returns their values, and apart what pages may change while the product runs. */
function judged(given: NodeJS.ProcessEnv, features: readonly FeatureSettings[], kept: Kept = {}) {
  const env = { ...given, ...kept }
  const production = env['NODE_ENV'] === 'production'
  const all = Object.fromEntries(
    [settings, ...features.map((feature) => feature.settings)].flatMap((some: Settings) =>
      Object.entries(some),
    ),
  )
  const { values, lines } = readSettings(env, all)
  if (lines.length) throw new ConfigError(lines)
  const own = ownOf(values)
  const publicOrigin = values.PUBLIC_ORIGIN ?? `http://localhost:${values.PORT}`
  const refused = [
    ...invalidCombinations(values, publicOrigin),
    ...features.flatMap(({ impossible }) => [...(impossible?.(own) ?? [])]),
    ...(production ? unsafeInProduction(values, publicOrigin) : []),
    ...(production ? features.flatMap(({ unsafe }) => [...(unsafe?.(own) ?? [])]) : []),
  ]
  if (refused.length) throw new ConfigError(refused)
  const missing = [
    ...(production ? missingInProduction(values) : []),
    ...features.flatMap((feature) => [...(feature.missing?.(own, production) ?? [])]),
  ]
  const warnings = [
    ...mistyped(given, Object.keys(all)),
    ...(production ? looseInProduction(values) : []),
    ...features.flatMap(({ warnings: warn }) => [...(warn?.(own, production) ?? [])]),
    ...missing,
  ]
  // The words of mails are kept by names with a slash (mail/own-words.ts), which no setting of the environment has.
  const mailWords = Object.fromEntries(Object.entries(kept).filter(([name]) => name.includes('/')))
  const brand = { operator: { ...operatorOf(values), mailWords }, mailFrom: mailFromOf(values, publicOrigin) }
  const changeable = features.reduce<object>((all, { read }) => ({ ...all, ...read(own, production) }), {
    ...brand,
    warnings,
    missing,
  })
  return { values, place: { production, publicOrigin }, changeable }
}

/** Returns what pages may change: each part has the type that its feature declares. */
function changed(changeable: object): FeatureConfig
function changed(changeable: object): object {
  return changeable
}

/** Returns the values of all settings as `never`: each feature accepts that as the type of its own values, which are among them. */
function ownOf(values: Values): never
function ownOf(values: Values): object {
  return values
}

/** Adds what pages may change to the configuration: each part has the type that its feature declares in `FeatureConfig`. */
function joined(installation: object, changeable: object, more: Pick<Config, 'rereadWith'>): Config
function joined(...parts: object[]): unknown {
  const whole: unknown = Object.assign({}, ...parts)
  return whole
}

function installationOf(
  values: Values,
  { production, publicOrigin }: { production: boolean; publicOrigin: string },
) {
  const dataDir = path.resolve(values.DATA_DIR ?? defaultDataDir())
  return {
    production,
    port: values.PORT,
    host: values.HOST,
    /** Scheme, host and port without a slash behind. */
    publicOrigin,
    databaseUrl: values.DATABASE_URL && withoutTlsWord(values.DATABASE_URL),
    /** PostgreSQL itself, where databaseUrl leads to a pooler. */
    directDatabaseUrl: values.DATABASE_LISTEN_URL && withoutTlsWord(values.DATABASE_LISTEN_URL),
    /** A standby that may answer calls whose contract has `fromReplica`. */
    readDatabaseUrl: values.DATABASE_READ_URL && withoutTlsWord(values.DATABASE_READ_URL),
    acceptNewerDatabase: values.ACCEPT_NEWER_DATABASE,
    /** Absolute. */
    dataDir,
    /** The bucket of uploaded files; undefined if the files are under dataDir. */
    bucket: values.S3_URL,
    /** In bytes. */
    storagePerCustomer: values.STORAGE_PER_CUSTOMER,
    /** The targets of links in mails; {key} is replaced by the key. */
    linkTemplates: linkTemplatesOf(values, publicOrigin),
    role: values.ROLE,
    mayRunAsRoot: values.RUN_AS_ROOT,
    smtpUrl: values.SMTP_URL && withoutTlsWord(values.SMTP_URL),
    /** True if no mail may leave without STARTTLS (rule 40). */
    demandsStartTls: production && demandsStartTls(values.SMTP_URL),
    trustedProxies: values.TRUSTED_PROXIES,
    rateLimitScale: values.RATE_LIMIT_SCALE,
    demo: values.DEMO === undefined ? !production : values.DEMO !== 'off',
    /** True if example staff and /dev/ answer the whole network, as the operator explicitly set (rule 39). */
    isDemoPublic: values.DEMO === 'public',
    secretKey: values.SECRET_KEY ?? keepSecretKey(dataDir),
    formerSecretKey: values.SECRET_KEY_OLD,
    signupOpen: values.SIGNUP_OPEN,
    sessionDays: values.SESSION_DAYS,
    passkeys: values.PASSKEYS,
    emailVerification: values.EMAIL_VERIFICATION,
    staff: {
      /** Without a second factor members of staff are customers only. */
      needsTwoFactor:
        values.STAFF_TWO_FACTOR === undefined ? production : values.STAFF_TWO_FACTOR === 'required',
      networks: values.STAFF_NETWORKS,
      proof_s: values.STAFF_PROOF_H * 3600,
      /** True if a second member confirms amounts above an allowance. */
      needsApprovals: values.STAFF_APPROVALS,
      /** The wait from the request to reset a second factor until the reset. */
      resetWait_s: values.STAFF_RESET_WAIT_H * 3600,
    },
    reauthenticateForAddresses: values.REAUTHENTICATE_FOR_ADDRESSES,
    totpToleranceSteps: values.TOTP_TOLERANCE_STEPS,
    securityContact: values.SECURITY_CONTACT,
    backup: backupOf(values),
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    slowStatement_ms: values.SLOW_STATEMENT_MS,
    timeZone: values.COMPANY_TIME_ZONE,
  }
}

type Values = ValuesOf<typeof settings>

/** Reads each setting by its schema, which gives the type of its value. A setting that is bad has a line in `lines`, and no value. */
function readSettings(env: NodeJS.ProcessEnv, all: Settings): { values: Values; lines: string[] }
function readSettings(env: NodeJS.ProcessEnv, all: Settings): { values: object; lines: string[] } {
  const values: Record<string, unknown> = {}
  const lines: string[] = []
  for (const [name, { schema, fallback }] of Object.entries(all)) {
    const result = schema.safeParse(env[name]?.trim() || fallback)
    if (result.success) values[name] = result.data
    else lines.push(`${name} ${result.error.issues[0]?.message ?? 'is wrong'}.`)
  }
  return { values, lines }
}

const mailFromOf = (values: Values, publicOrigin: string): string =>
  values.MAIL_FROM ?? `${values.OPERATOR_NAME} <no-reply@${mailHost(publicOrigin)}>`

const operatorOf = (values: Values) => ({
  name: values.OPERATOR_NAME,
  logo: values.OPERATOR_LOGO_URL,
  accentColor: values.ACCENT_COLOR,
  supportEmail: values.SUPPORT_EMAIL,
  /** The words at the end of every mail, by its language. */
  mailClosing: { en: values.MAIL_CLOSING_EN, de: values.MAIL_CLOSING_DE, ru: values.MAIL_CLOSING_RU },
  imprintUrl: values.IMPRINT_URL,
  privacyUrl: values.PRIVACY_URL,
  termsUrl: values.TERMS_URL,
  /** Customers accept this version before they order; undefined if nobody is asked. */
  termsVersion: values.TERMS_VERSION,
  /** The address of the instruction on withdrawal; undefined if orders offer no withdrawal. */
  withdrawalUrl: values.WITHDRAWAL_URL,
})

const backupOf = ({ BACKUP_RECIPIENTS, BACKUP_PASSPHRASE, ...values }: Values) => ({
  /** An absolute path; undefined if no backups are scheduled. */
  dir: values.BACKUP_DIR === undefined ? undefined : path.resolve(values.BACKUP_DIR),
  every_h: values.BACKUP_EVERY_H,
  keep: values.BACKUP_KEEP,
  sealedFor: sealedFor(BACKUP_RECIPIENTS, BACKUP_PASSPHRASE),
})

function sealedFor(recipients?: readonly string[], passphrase?: Secret): SealedFor | undefined {
  if (recipients) return { recipients }
  return passphrase && { passphrase: passphrase.reveal() }
}

const linkTemplatesOf = (values: Values, publicOrigin: string) => ({
  verify: values.LINK_VERIFY ?? `${publicOrigin}/account/auth?verify={key}`,
  reset: values.LINK_RESET ?? `${publicOrigin}/account/auth?reset={key}`,
  signup: values.LINK_SIGNUP ?? `${publicOrigin}/account/auth?view=signup`,
})

function* invalidCombinations(values: Values, publicOrigin: string): Generator<string> {
  if (values.DATABASE_LISTEN_URL && !values.DATABASE_URL)
    yield 'DATABASE_LISTEN_URL is of use beside DATABASE_URL only. Set DATABASE_URL to the pooler, or remove DATABASE_LISTEN_URL.'
  if (values.DATABASE_READ_URL && !values.DATABASE_URL)
    yield 'DATABASE_READ_URL is of use beside DATABASE_URL only. Set DATABASE_URL to the primary, or remove DATABASE_READ_URL.'
  if (values.DATABASE_READ_URL && addressesOf(values.DATABASE_READ_URL.reveal()).length > 1)
    yield 'DATABASE_READ_URL names several hosts, and how far one is behind says nothing about another. Set it to one standby.'
  if (values.RATE_LIMIT_SCALE !== 1 && !isLoopback(publicOrigin)) {
    yield 'RATE_LIMIT_SCALE loosens the guard against guessed passwords, and PUBLIC_ORIGIN is not this machine. Remove RATE_LIMIT_SCALE.'
  }
  if (values.TERMS_VERSION && !values.TERMS_URL)
    yield 'TERMS_VERSION asks customers to accept terms that nobody can read. Set TERMS_URL, or remove TERMS_VERSION.'
}

/** Settings that production refuses (NODE_ENV=production). The state of the database itself is checked after the first connection. */
function* unsafeInProduction(values: Values, publicOrigin: string): Generator<string> {
  if (values.DEMO && values.DEMO !== 'off')
    yield 'DEMO makes accounts with known passwords, and NODE_ENV is production. Remove DEMO.'
  if (!values.PUBLIC_ORIGIN)
    yield 'PUBLIC_ORIGIN is missing, so that links in mails would lead nowhere. Set it like https://account.example.com.'
  if (!values.SECRET_KEY) yield 'SECRET_KEY is missing. Set it to the output of: openssl rand -base64 32'
  if (!values.SMTP_URL)
    yield 'SMTP_URL is missing, so that no mail would ever leave. Set it like smtp://user:password@mail.example.com:587.'
  yield* clearText(values)
  for (const name of ['LINK_VERIFY', 'LINK_RESET', 'LINK_SIGNUP'] as const)
    if (values[name]?.startsWith('http:') && !isLoopback(values[name]))
      yield `${name} is not https, so that keys would cross the network in clear. Set it like https://app.example.com/….`
  if (!publicOrigin.startsWith('https:') && !isLoopback(publicOrigin)) {
    yield 'PUBLIC_ORIGIN is not https, so that passwords would cross the network in clear. Set it like https://account.example.com.'
  }
}

/** Lines about settings that customers lack in production. */
function* missingInProduction(values: Values): Generator<string> {
  if (values.OPERATOR_NAME === settings.OPERATOR_NAME.fallback)
    yield `OPERATOR_NAME is missing: mails and pages bear the name ${values.OPERATOR_NAME}, as if they came from somebody else. Set it to your name.`
}

/** Settings that production accepts with a warning. */
function* looseInProduction(values: Values): Generator<string> {
  if (!values.STAFF_APPROVALS)
    yield 'STAFF_APPROVALS is off, so that each member of staff moves any amount alone. Remove STAFF_APPROVALS.'
}

const isLoopback = (origin: string): boolean => isLoopbackName(new URL(origin).hostname)

/**
 * Returns the host of the default sender. Mail servers refuse an address at an IP or at localhost; hostdesk.invalid plainly belongs to
 * nobody.
 */
function mailHost(origin: string): string {
  const { hostname } = new URL(origin)
  return /^[\d.]+$|^\[|^localhost$/.test(hostname) ? 'hostdesk.invalid' : hostname
}
