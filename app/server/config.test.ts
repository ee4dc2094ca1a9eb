import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ConfigError } from '#foundation/server/config-error.ts'
import { loadConfig } from './config.ts'
import { mailContext } from '#foundation/server/mail/mail-template.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-config-'))
const key = 'mO2cV0p7m1mS0i8yJ5tq3bWlQ9x4Zr6uKfHdAeNgTjY='
const load = (env: Record<string, string>) => loadConfig({ DATA_DIR: folder, ...env })
const production = {
  NODE_ENV: 'production',
  SECRET_KEY: key,
  SMTP_URL: 'smtp://mail.example.com',
  PUBLIC_ORIGIN: 'https://account.example.com',
  COMPANY_NAME: 'Example GmbH',
  COMPANY_STREET: 'Am Markt 1',
  COMPANY_ZIP: '20095',
  COMPANY_CITY: 'Hamburg',
  COMPANY_TAX_NUMBER: '12/345/67890',
}

function linesOf(env: Record<string, string>): string[] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.lines
    throw error
  }
  return []
}

describe('settings of staff', () => {
  it('ask for a second factor in production, and elsewhere where it is set', () => {
    expect(load({}).staff).toMatchObject({ needsTwoFactor: false, networks: undefined, proof_s: 12 * 3600 })
    expect(load(production).staff.needsTwoFactor).toBe(true)
    expect(load({ ...production, STAFF_TWO_FACTOR: 'optional' }).staff.needsTwoFactor).toBe(false)
  })

  it('read networks of both kinds, and refuse what begins behind its own prefix', () => {
    const networks = load({ STAFF_NETWORKS: '203.0.113.0/24, 10.1.2.3, 2001:db8::/32' }).staff.networks
    expect(networks?.check('203.0.113.77')).toBe(true)
    expect(networks?.check('10.1.2.3')).toBe(true)
    expect(networks?.check('10.1.2.4')).toBe(false)
    expect(networks?.check('2001:db8:ffff::1', 'ipv6')).toBe(true)
    for (const bad of [
      '10.1.2.3/8',
      '2001:db8::1/32',
      '10.0.0.0/33',
      '10.0/8',
      'office',
      '0x0a.0.0.0/8',
      '10.0.0.0/8,',
    ])
      expect(linesOf({ STAFF_NETWORKS: bad }), bad).toEqual([
        'STAFF_NETWORKS is no list of networks, each from its first address. Set it like 203.0.113.0/24,2001:db8::/32.',
      ])
  })
})

describe('rule 63: allowances of staff', () => {
  it('are amounts by role, up to the cap where they are not set', () => {
    const { credit, refund } = load({}).staffAlone
    expect(credit).toEqual({ support: 0n, billing: 100_00n, admin: 250_00n, owner: 1000_00n })
    expect(refund).toMatchObject({ support: 0n, owner: 5000_00n })
    expect(load({ STAFF_CREDIT_ALONE: 'support:20, owner:50', CURRENCY: 'JPY' }).staffAlone.credit).toEqual({
      support: 20n,
      billing: 0n,
      admin: 0n,
      owner: 50n,
    })
    expect(load({ BALANCE_CAP: '300' }).staffAlone.credit).toMatchObject({ admin: 250_00n, owner: 300_00n })
  })

  it('are refused above the balance cap, for an unknown role, and when they are no list of roles with whole amounts', () => {
    expect(linesOf({ STAFF_CREDIT_ALONE: 'owner:10001' })).toEqual([
      'STAFF_CREDIT_ALONE lets a role move more alone than BALANCE_CAP, which is 10000. Set it to at most that.',
    ])
    for (const bad of ['king:5', 'support', 'support:-1', 'support:1.50', 'owner:1,owner:2', 'owner:1,'])
      expect(linesOf({ STAFF_REFUND_ALONE: bad }), bad).toEqual([
        'STAFF_REFUND_ALONE is no list of roles with whole amounts. Set it like billing:500,admin:500,owner:5000.',
      ])
  })

  it('switched off are a warning in production', () => {
    const line =
      'STAFF_APPROVALS is off, so that each member of staff moves any amount alone. Remove STAFF_APPROVALS.'
    expect(load({ ...production, STAFF_APPROVALS: 'off' }).warnings).toContain(line)
    expect(load({ STAFF_APPROVALS: 'off' }).warnings).not.toContain(line)
    expect(load(production).warnings).not.toContain(line)
  })
})

it('production without a way to pay, or with the name of the product in mails, is a warning', () => {
  const names = (env: Record<string, string>) => load(env).warnings.map((line) => line.split(/[: ]/)[0])
  expect(names(production)).toEqual(expect.arrayContaining(['PAYMENTS', 'OPERATOR_NAME']))
  const ready = {
    ...production,
    OPERATOR_NAME: 'Example',
    BANK_ACCOUNT: 'Example, DE02 1203 0000 0000 2020 51, BANK',
  }
  expect(names(ready)).not.toEqual(expect.arrayContaining(['PAYMENTS']))
  expect(names(ready)).not.toContain('OPERATOR_NAME')
  expect(names({ PAYMENTS: 'bank' }), 'outside of production').toEqual([])
  // The lines about what customers lack are a list by itself, for the first pages of staff. It names nothing that may be left for good.
  const { missing, warnings } = load({ ...production, STAFF_APPROVALS: 'off' })
  expect(missing.map((line) => line.split(/[: ]/)[0])).toEqual(['OPERATOR_NAME', 'PAYMENTS', 'IMPRINT_URL'])
  expect(warnings).toEqual(expect.arrayContaining(missing))
  expect(load(ready).missing.map((line) => line.split(' ')[0])).toEqual(['IMPRINT_URL'])
})

it('Stripe in production without terms is a warning', () => {
  const stripe = {
    STRIPE_SECRET_KEY: 'sk_live_0123456789abcdef',
    STRIPE_WEBHOOK_SECRET: 'whsec_0123456789abcdef',
  }
  const warned = (env: Record<string, string>) =>
    load(env).warnings.some((line) => line.startsWith('TERMS_URL'))
  expect(warned({ ...production, ...stripe })).toBe(true)
  expect(warned({ ...production, ...stripe, TERMS_URL: 'https://example.com/terms' })).toBe(false)
  expect([warned(production), warned(stripe)], 'without Stripe, or without production').toEqual([
    false,
    false,
  ])
})

it('a company in Germany or Austria without an imprint is a warning', () => {
  const line = 'IMPRINT_URL is missing: in Germany and Austria every page needs a link to an imprint. Set it.'
  expect(load({ ...production, COMPANY_COUNTRY: 'AT' }).warnings).toContain(line)
  expect(load({ ...production, COMPANY_COUNTRY: 'FR' }).warnings).not.toContain(line)
  expect(load({ ...production, IMPRINT_URL: 'https://example.com/imprint' }).warnings).not.toContain(line)
  expect(load({}).warnings, 'the demo').not.toContain(line)
})

describe('D20: links in mails, set by templates so that they can lead to another client', () => {
  it('lead to our own page unless they are set', () => {
    const { links } = mailContext(load({ PUBLIC_ORIGIN: 'https://account.example.com' }), 'en', 'UTC')
    expect(links.verify('a:b/c')).toBe('https://account.example.com/account/auth?verify=a%3Ab%2Fc')
    expect(links.reset('key')).toBe('https://account.example.com/account/auth?reset=key')
    expect(links.signup()).toBe('https://account.example.com/account/auth?view=signup')
  })

  it('lead where the templates point', () => {
    const config = load({
      LINK_VERIFY: 'https://app.example.com/confirm/{key}',
      LINK_RESET: 'exampleapp://reset?k={key}',
      LINK_SIGNUP: 'https://app.example.com/sign-up',
    })
    const { links } = mailContext(config, 'en', 'UTC')
    expect([links.verify('$&:'), links.reset('b'), links.signup()]).toEqual([
      'https://app.example.com/confirm/%24%26%3A',
      'exampleapp://reset?k=b',
      'https://app.example.com/sign-up',
    ])
  })

  it('refuse what has no place for the key, what runs, and clear text in production', () => {
    expect(linesOf({ LINK_VERIFY: 'https://app.example.com/' })).toEqual([
      'LINK_VERIFY is no link with {key} in it. Set it like https://app.example.com/confirm?key={key}.',
    ])
    expect(linesOf({ LINK_RESET: 'javascript:alert("{key}")' })).toHaveLength(1)
    expect(linesOf({ LINK_SIGNUP: 'https://app.example.com/{key}' })).toHaveLength(1)
    expect(linesOf({ ...production, LINK_RESET: 'http://app.example.com/{key}' }).join(' ')).toContain(
      'LINK_RESET is not https',
    )
  })
})

describe('rule 32: settings are judged at start, each bad one in a line that names what to set', () => {
  it('rule 54: refuses a currency that the kept table lacks: withdrawn, of metals or funds, or unknown to everybody', () => {
    for (const code of ['HRK', 'XAU', 'CLF', 'XTS', 'EURO', 'eur'])
      expect(() => load({ CURRENCY: code }), code).toThrow('is no currency. Set it like EUR')
    expect(load({ CURRENCY: 'KWD' }).currency).toBe('KWD')
  })

  it('starts without a single setting', () => {
    const config = load({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicOrigin: 'http://localhost:3000',
      demo: true,
    })
    expect(config.databaseUrl).toBeUndefined()
    expect(config.warnings).toEqual([])
  })

  it.each([
    ['PORT', '70000', /whole number from 0 to 65535/],
    ['PORT', '3e3', /whole number/],
    ['HOST', 'not a host', /no address/],
    ['PUBLIC_ORIGIN', 'account.example.com', /no origin/],
    ['PUBLIC_ORIGIN', 'https://example.com/account', /no origin/],
    ['PUBLIC_ORIGIN', 'https://user:pw@example.com', /no origin/],
    ['DATABASE_URL', 'mysql://u@h/d', /Set it like postgres:/],
    ['S3_URL', 'files', /Set it like s3:/],
    ['S3_URL', 's3://host/bucket', /no address of a bucket/],
    ['S3_URL', 's3://k:s@host/Bucket', /no address of a bucket/],
    ['S3_URL', 's3://k:s@host/', /no address of a bucket/],
    ['S3_URL', 's3://k:s@host/a/b', /no address of a bucket/],
    ['S3_URL', 's3://k:s@host/bucket?tls=maybe', /no address of a bucket/],
    ['S3_URL', 's3://k:s@host/bucket?regoin=eu', /no address of a bucket/],
    ['S3_URL', 'ftp://k:s@host/bucket', /no address of a bucket/],
    ['ROLE', 'boss', /web, worker or all/],
    ['SMTP_URL', 'mail.example.com:25', /Set it like smtp:/],
    ['MAIL_FROM', 'nobody', /no e-mail address/],
    ['MAIL_FROM', 'A\r\nBcc: x <a@example.com>', /no e-mail address/],
    ['SECRET_KEY', 'short', /openssl rand/],
    ['SECRET_KEY', 'a'.repeat(64), /openssl rand/],
    ['SECRET_KEY', '0123456789abcdef'.repeat(4), /openssl rand/],
    ['SECRET_KEY', 'Pa55-word_1'.repeat(4), /openssl rand/],
    ['SECRET_KEY', 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH', /openssl rand/],
    ['TRUSTED_PROXIES', '-1', /whole number/],
    ['DEMO', 'maybe', /on, off or public/],
    ['EMAIL_VERIFICATION', 'sometimes', /mandatory, optional or none/],
    ['TOTP_TOLERANCE_STEPS', '99', /whole number from 0 to 5/],
    ['ACCENT_COLOR', 'blue', /Set it like #/],
    ['IMPRINT_URL', 'javascript:alert(1)', /no web address/],
    ['TERMS_VERSION', '2026-11', /Set TERMS_URL/],
    ['TERMS_VERSION', 'x'.repeat(65), /at most 64/],
    [
      'WITHDRAWAL_URL',
      `https://example.com/${'x'.repeat(2000)}`,
      /no web address of at most 1000 characters/,
    ],
    ['SUSPEND_AFTER_DAYS', '91', /whole number from 0 to 90/],
    ['LOG_LEVEL', 'loud', /trace or silent/],
    ['METRICS_TOKEN', 'x', /16 characters/],
    ['COMPANY_COUNTRY', 'Germany', /no country code/],
    ['COMPANY_VAT_ID', '123', /no VAT ID/],
    ['COMPANY_TIME_ZONE', 'Berlin', /no time zone/],
    ['COMPANY_TIME_ZONE', '+02:00', /no time zone/],
    ['STORAGE_PER_CUSTOMER', '2 gigabytes', /no amount of storage/],
    ['INVOICE_PREFIX', 'R-', /capital letters/],
    ['VAT_RATES', 'DE=19%', /DE=19,CH=8.1/],
    ['OPERATOR_LOGO_URL', '/no/such/logo.svg', /path of your logo/],
  ])('%s=%s gets one line', (name, value, says) => {
    const lines = linesOf({ [name]: value })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${name}\\b`))
    expect(lines[0]).toMatch(says)
  })

  it('refuses a replica of nothing, and several in one address', () => {
    const [DATABASE_URL, DATABASE_READ_URL] = ['postgres://u@one/d', 'postgres://u@two,three/d']
    expect(linesOf({ DATABASE_READ_URL: DATABASE_URL })).toEqual([
      expect.stringContaining('Set DATABASE_URL'),
    ])
    expect(linesOf({ DATABASE_URL, DATABASE_READ_URL })).toEqual([expect.stringContaining('several hosts')])
  })

  it('names all bad ones at once', () => {
    expect(linesOf({ PORT: 'x', ROLE: 'x', LOG_LEVEL: 'x' })).toHaveLength(3)
  })

  it('treats an empty setting as unset', () => {
    expect(load({ PORT: '', PUBLIC_ORIGIN: ' ' }).port).toBe(3000)
  })

  it('refuses to loosen the limits anywhere but on this machine (rule 18)', () => {
    expect(load({ RATE_LIMIT_SCALE: '100' }).rateLimitScale).toBe(100)
    for (const PUBLIC_ORIGIN of [
      'https://account.example.com',
      'http://localhost.example.com',
      'http://127.example.com',
    ]) {
      expect(linesOf({ RATE_LIMIT_SCALE: '100', PUBLIC_ORIGIN })).toEqual([
        expect.stringMatching(/^RATE_LIMIT_SCALE/),
      ])
    }
  })

  it('warns of unknown settings that resemble ours, and not of unrelated environment variables', () => {
    const { warnings } = load({
      PUBLIC_ORIGN: 'x',
      HOSTDESK_PORT: '1',
      smtp_url: 'x',
      HOSTNAME: 'h',
      PATH: '/',
      HOME: '/root',
    })
    expect(warnings.map((line) => line.split(' ')[0])).toEqual(['PUBLIC_ORIGN', 'HOSTDESK_PORT', 'smtp_url'])
    expect(warnings[0]).toContain('Did you mean PUBLIC_ORIGIN?')
  })
})

it('rule 39: DEMO=public is more than on, and never the default', () => {
  expect(load({})).toMatchObject({ demo: true, isDemoPublic: false })
  expect(load({ DEMO: 'yes' })).toMatchObject({ demo: true, isDemoPublic: false })
  expect(load({ DEMO: 'public' })).toMatchObject({ demo: true, isDemoPublic: true })
  expect(load({ DEMO: 'off' })).toMatchObject({ demo: false, isDemoPublic: false })
})

describe('rule 32: production refuses what would be unsafe', () => {
  it('starts with what it needs, without demo data', () => {
    expect(load(production)).toMatchObject({ production: true, demo: false })
  })

  it.each([
    ['SECRET_KEY', ''],
    ['SMTP_URL', ''],
    ['PUBLIC_ORIGIN', ''],
    ['DEMO', 'on'],
    ['DEMO', 'public'],
    ['PUBLIC_ORIGIN', 'http://account.example.com'],
  ])('refuses %s=%s', (name, value) => {
    expect(linesOf({ ...production, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name}\\b`)),
    ])
  })
})

describe('rule 40: clear text needs to be asked for', () => {
  const postgres = 'postgres://u:p@db.example.com/d'

  it.each([
    ['DATABASE_URL', postgres],
    ['DATABASE_URL', `${postgres}?sslmode=prefer`],
    ['DATABASE_URL', 'postgres://u:p@10.0.0.7:5432/d?application_name=x'],
    ['DATABASE_URL', 'postgres://u:p@/d?host=db.example.com'],
    ['S3_URL', 'http://k:s@minio:9000/files'],
  ])('production refuses %s=%s', (name, value) => {
    expect(linesOf({ ...production, [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} leads over a network without TLS.*tls=off`)),
    ])
    expect(linesOf({ [name]: value }), 'outside of production').toEqual([])
  })

  it('production refuses it to the replica, too', () => {
    const urls = { DATABASE_URL: `${postgres}?sslmode=require`, DATABASE_READ_URL: postgres }
    expect(linesOf({ ...production, ...urls })).toEqual([
      expect.stringMatching(/^DATABASE_READ_URL leads over/),
    ])
  })

  it.each([
    ['DATABASE_URL', `${postgres}?sslmode=require`],
    ['DATABASE_URL', `${postgres}?tls=off`],
    ['DATABASE_URL', 'postgres://u:p@127.0.0.1/d'],
    ['DATABASE_URL', 'postgres://u@/d?host=/run/postgresql'],
    ['S3_URL', 'http://k:s@minio:9000/files?tls=off'],
    ['S3_URL', 's3://k:s@minio:9000/files?tls=off'],
    ['S3_URL', 'http://k:s@127.0.0.1:9000/files'],
    ['S3_URL', 's3://k:s@s3.example.com/files'],
  ])('and takes %s=%s', (name, value) => expect(linesOf({ ...production, [name]: value })).toEqual([]))

  it('leaves of tls=off nothing for the libraries', () => {
    const urlOf = (value: string) => load({ DATABASE_URL: value }).databaseUrl?.reveal()
    expect(urlOf(`${postgres}?tls=off`)).toBe(postgres)
    expect(urlOf(`${postgres}?tls=off&sslmode=disable`)).toBe(`${postgres}?sslmode=disable`)
    expect(urlOf(`${postgres}?sslmode=disable&tls=off`)).toBe(`${postgres}?sslmode=disable`)
  })

  it.each([
    ['smtp://mail.example.com', true],
    ['smtp://u:p@mail.example.com:587?pool=true', true],
    ['smtp://mail.example.com?tls=off', false],
    ['smtp://localhost:25', false],
    ['smtps://mail.example.com', false],
  ])('production demands STARTTLS of %s: %s', (SMTP_URL, demanded) => {
    expect(load({ ...production, SMTP_URL }).demandsStartTls).toBe(demanded)
    expect(load({ SMTP_URL }).demandsStartTls).toBe(false)
  })
})

describe('F-02 the company that issues the invoices', () => {
  it('is the demo company until another company is set, which then takes none of the demo company’s data', () => {
    expect(load({}).company).toMatchObject({ name: 'Hostdesk Demo GmbH', country: 'DE', city: 'Berlin' })
    const { company } = load({ COMPANY_NAME: 'Example AG', SUPPORT_EMAIL: 'Help <help@example.com>' })
    expect(company).toMatchObject({ name: 'Example AG', city: '', vatId: '', email: 'help@example.com' })
  })

  it('is nobody in production until it is set, and incomplete without what an invoice must say', () => {
    for (const name of ['NAME', 'STREET', 'ZIP', 'CITY', 'TAX_NUMBER'])
      expect(load({ ...production, [`COMPANY_${name}`]: '' }).company.isIncomplete, name).toBe(true)
    expect(load(production).company.isIncomplete).toBe(false)
    expect(load({ NODE_ENV: 'test' }).company.isIncomplete, 'not in production').toBe(false)
    expect(load({ ...production, COMPANY_NAME: '' }).company).toMatchObject({ name: '', vatId: '', iban: '' })
    expect(
      load({ ...production, COMPANY_TAX_NUMBER: '', COMPANY_VAT_ID: 'de 123456789' }).company.vatId,
    ).toBe('DE123456789')
  })

  it('needs a rate where the product knows none', () => {
    expect(linesOf({ COMPANY_COUNTRY: 'CH' })).toEqual([expect.stringMatching(/^VAT_RATES\b.*CH=/)])
    const { vatRates } = load({ COMPANY_COUNTRY: 'CH', VAT_RATES: 'CH=8.1, DE=19,FI=25.5,HU=27.25' }).company
    expect(Object.fromEntries(vatRates)).toEqual({ CH: 810n, DE: 1900n, FI: 2550n, HU: 2725n })
  })
})

describe('rule 35: secrets cannot be printed by accident', () => {
  it('shows none of them, whoever prints the settings', () => {
    const secrets = {
      SECRET_KEY: key,
      SMTP_URL: 'smtp://u:pw-of-mail@h',
      DATABASE_URL: 'postgres://u:pw-of-db@h/d',
      METRICS_TOKEN: 'token-of-metrics-1',
      STRIPE_SECRET_KEY: 'sk_test_planted_in_settings',
      STRIPE_WEBHOOK_SECRET: 'whsec_planted_in_settings',
      MOLLIE_API_KEY: 'live_planted_in_settings',
    }
    const config = load(secrets)
    const printed = [
      JSON.stringify(config, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      inspect(config, { depth: 9, showHidden: true }),
      `${String(config.secretKey)}${String(config.smtpUrl)}`,
    ].join('\n')
    for (const planted of [key, 'pw-of-mail', 'pw-of-db', 'token-of-metrics-1', 'sk_test_pl', 'whsec_pl'])
      expect(printed).not.toContain(planted)
    expect(config.secretKey.reveal()).toBe(key)
  })

  it('makes a key once, for its owner alone to read', () => {
    const made = load({}).secretKey.reveal()
    expect(load({}).secretKey.reveal()).toBe(made)
    const file = path.join(folder, 'secret-key')
    expect(readFileSync(file, 'utf8').trim()).toBe(made)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(Buffer.from(made, 'base64url')).toHaveLength(32)
  })
})

describe('S3_URL', () => {
  it.each([
    ['s3://k:s@s3.example.com/files', 'https://s3.example.com', 'us-east-1'],
    ['s3://k:s@s3.example.com:9000/files?region=eu-central-1', 'https://s3.example.com:9000', 'eu-central-1'],
    ['s3://k:s@127.0.0.1:9000/files?tls=off', 'http://127.0.0.1:9000', 'us-east-1'],
    ['https://k:s@s3.example.com/files/', 'https://s3.example.com', 'us-east-1'],
    ['http://k:s@minio:9000/files', 'http://minio:9000', 'us-east-1'],
  ])('%s', (S3_URL, endpoint, region) => {
    expect(load({ S3_URL }).bucket).toMatchObject({ endpoint, region, name: 'files', key_id: 'k' })
  })

  it('may hold any character in its secret, which is not printed', () => {
    const { bucket } = load({ S3_URL: 's3://AK%2FI:pl%2Bus%2Fslash%40@h/files' })
    expect(bucket?.key_id).toBe('AK/I')
    expect(bucket?.secret.reveal()).toBe('pl+us/slash@')
    expect(inspect(bucket)).not.toContain('slash')
  })
})
