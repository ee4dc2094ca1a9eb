import net from 'node:net'
import { z } from 'zod'
import { Secret } from './secret.ts'

/**
 * Every setting: its name in the environment, what it is for (as `npm run hostdesk -- help` and the README print it),
 * and the schema that reads it. A setting that is absent or empty counts as not set.
 */
export const settings = {
  PORT: setting('Port to listen on; 3000 unless set.', wholeNumber(0, 65_535, '3000'), '3000'),
  HOST: setting('Address to listen on; 127.0.0.1 unless set, 0.0.0.0 for all.', host(), '127.0.0.1'),
  PUBLIC_ORIGIN: setting(
    'Where customers reach it, as https://account.example.com; every link in a mail begins with it.',
    origin().optional(),
  ),
  DATABASE_URL: setting(
    'PostgreSQL 15 to 18, as postgres://user:password@host/database. Unset: the PostgreSQL that comes along.',
    url(['postgres:', 'postgresql:'], 'postgres://user:password@host/database').optional(),
  ),
  DATA_DIR: setting(
    'Folder for what must stay: the embedded database, files, the generated key.',
    text().optional(),
  ),
  ROLE: setting(
    'web serves, worker does the jobs, all does both.',
    z.enum(['web', 'worker', 'all'], oneOf('web, worker or all')),
    'all',
  ),
  SMTP_URL: setting(
    'Mail server, as smtp://user:password@host:587 or smtps://…. Unset: mails are kept and shown at /dev/mail/.',
    url(['smtp:', 'smtps:'], 'smtp://user:password@mail.example.com:587').optional(),
  ),
  MAIL_FROM: setting(
    'Sender of all mails.',
    text().refine(isMailbox, 'is no sender. Set it like Hostdesk <no-reply@example.com>').optional(),
  ),
  SECRET_KEY: setting(
    'At least 32 random bytes in hex or base64; encrypts and signs. Unset: made once and kept in DATA_DIR.',
    secret(
      strongKey,
      'is too short or too simple. Set it to the output of: openssl rand -base64 32',
    ).optional(),
  ),
  TRUSTED_PROXIES: setting(
    'How many proxies in front may set X-Forwarded-For.',
    wholeNumber(0, 10, '1'),
    '0',
  ),
  RATE_LIMIT_SCALE: setting(
    'Multiplies all limits, for load tests on one machine only.',
    wholeNumber(1, 1_000_000, '1'),
    '1',
  ),
  DEMO: setting(
    'Demo customers and staff at the first start; on unless NODE_ENV=production.',
    onOff().optional(),
  ),
  SIGNUP_OPEN: setting('May strangers sign up?', onOff(), 'on'),
  PASSKEYS: setting('May customers sign in with passkeys?', onOff(), 'on'),
  EMAIL_VERIFICATION: setting(
    'mandatory, optional or none: must an address be confirmed before the first sign-in?',
    z.enum(['mandatory', 'optional', 'none'], oneOf('mandatory, optional or none')),
    'mandatory',
  ),
  TOTP_TOLERANCE_STEPS: setting(
    'How many 30 s steps a two-factor code may be off, either way.',
    wholeNumber(0, 5, '1'),
    '1',
  ),
  OPERATOR_NAME: setting('Your name in pages and mails.', text(), 'Hostdesk'),
  OPERATOR_LOGO_URL: setting('Path of your logo (SVG, PNG, WebP) on this machine.', text().optional()),
  ACCENT_COLOR: setting(
    'Your colour, as #1f6feb.',
    z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'is no colour. Set it like #1f6feb')
      .optional(),
  ),
  SUPPORT_EMAIL: setting(
    'Where customers write to.',
    text().refine(isMailbox, 'is no e-mail address. Set it like support@example.com').optional(),
  ),
  IMPRINT_URL: setting('Your imprint.', webPage().optional()),
  PRIVACY_URL: setting('Your privacy policy.', webPage().optional()),
  TERMS_URL: setting('Your terms.', webPage().optional()),
  LOG_LEVEL: setting(
    'fatal, error, warn, info, debug, trace or silent.',
    z.enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      oneOf('fatal, error, warn, info, debug, trace or silent'),
    ),
    'info',
  ),
  METRICS_TOKEN: setting(
    'Bearer token for /metrics from other machines; loopback needs none.',
    secret((value) => value.length >= 16, 'is too short. Set at least 16 characters').optional(),
  ),
}

export type SettingName = keyof typeof settings

type Setting<Schema extends z.ZodType> = { about: string; schema: Schema; otherwise?: string }

function setting<Schema extends z.ZodType>(
  about: string,
  schema: Schema,
  otherwise?: string,
): Setting<Schema> {
  return otherwise === undefined ? { about, schema } : { about, schema, otherwise }
}

function text() {
  return z.string().max(1000, 'is longer than 1000 characters')
}

function oneOf(choices: string) {
  return { error: `is none of its choices. Set it to ${choices}` }
}

function wholeNumber(least: number, most: number, example: string) {
  const hint = `is no whole number from ${least} to ${most}. Set it like ${example}`
  return z
    .string()
    .regex(/^\d{1,7}$/, hint)
    .transform(Number)
    .refine((value) => value >= least && value <= most, hint)
}

function onOff() {
  const words: Record<string, boolean> = {
    on: true,
    true: true,
    yes: true,
    1: true,
    off: false,
    false: false,
    no: false,
    0: false,
  }
  return z
    .string()
    .refine((value) => value.toLowerCase() in words, 'is neither on nor off. Set it to on or off')
    .transform((value) => words[value.toLowerCase()] ?? false)
}

function host() {
  const name = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i
  return z
    .string()
    .refine(
      (value) => net.isIP(value) !== 0 || name.test(value),
      'is no address. Set it like 127.0.0.1 or 0.0.0.0',
    )
}

function origin() {
  const hint = 'is no origin (scheme, host and port, nothing behind). Set it like https://account.example.com'
  return z.string().transform((value, check) => {
    const parsed = parseUrl(value.replace(/\/$/, ''))
    const plain =
      parsed && ['http:', 'https:'].includes(parsed.protocol) && !parsed.username && !parsed.password
    if (plain && parsed.pathname === '/' && !parsed.search && !parsed.hash) return parsed.origin
    check.addIssue({ code: 'custom', message: hint })
    return z.NEVER
  })
}

function url(protocols: string[], example: string) {
  return z
    .string()
    .refine(
      (value) => protocols.includes(protocolOf(value)),
      `cannot be read as a URL. Set it like ${example}`,
    )
    .transform((value) => new Secret(value))
}

/** Of postgres://user@/database?host=/run/socket too, which `URL` refuses for want of a host. */
function protocolOf(value: string): string {
  return parseUrl(value.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/'))?.protocol ?? ''
}

function webPage() {
  return z
    .string()
    .refine(
      (value) => ['http:', 'https:'].includes(parseUrl(value)?.protocol ?? ''),
      'is no web address. Set it like https://example.com/page',
    )
}

function parseUrl(value: string): URL | undefined {
  return URL.parse(value) ?? undefined
}

function isMailbox(value: string): boolean {
  return /^(?:[^<>\r\n]{1,200} <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(value)
}

function secret(strong: (value: string) => boolean, hint: string) {
  return z
    .string()
    .refine(strong, hint)
    .transform((value) => new Secret(value))
}

/** 32 bytes at least, and not one letter held down: a guessable key signs anybody in. */
function strongKey(value: string): boolean {
  const isHex = /^[0-9a-f]+$/i.test(value)
  const bytes = isHex
    ? value.length / 2
    : /^[\w+/=-]+$/.test(value)
      ? value.length * 0.75
      : Buffer.byteLength(value)
  return bytes >= 32 && new Set(value).size >= 10
}
