import type pg from 'pg'
import type { Config } from '#foundation/server/config.ts'
import { NO_OWNER } from '#app/server/no-owner.ts'
import { examplesRefused } from '#app/server/example-accounts.ts'
import { lastObserved } from '#foundation/server/operation/queries.ts'
import { countStaff, exampleAccounts } from '#foundation/server/session/session.ts'
import { deriveKeys } from '#foundation/server/keys.ts'
import { keyRefused } from '#foundation/server/key-change/assert-key.ts'
import { knownKeys } from '#foundation/server/key-change/queries.ts'
import { Warning } from './warning.ts'

/** Finds the example accounts of the demo (rule 39). */
export async function examineExamples(
  client: pg.Client,
  { production, isDemoPublic, host }: Config,
): Promise<string> {
  const emails = await exampleAccounts(client)
  if (emails.length === 0) return 'none'
  if (production) throw new Error(examplesRefused(emails))
  const whoever = `${emails.length}, some of them with passwords that everybody knows`
  if (isDemoPublic)
    throw new Warning(`${whoever}; DEMO=public lets their staff and /dev/ answer the whole network`)
  const isOpen = !/^(127\.|::1$|localhost$)/.test(host)
  if (isOpen)
    throw new Warning(`${whoever}; HOST answers the network, their staff and /dev/ this machine only`)
  return `${whoever}; their staff and /dev/ answer this machine only`
}

/** Warns if no member of staff has the role owner, as nobody can give roles then, and if production asks staff for no second factor. */
export async function examineStaff(client: pg.Client, { production, staff }: Config): Promise<string> {
  const { members, owners } = await countStaff(client)
  if (owners === 0) throw new Warning(NO_OWNER)
  if (production && !staff.needsTwoFactor)
    throw new Warning('STAFF_TWO_FACTOR is optional: a stolen password opens the data of all customers')
  return `${members}, of them ${owners} with the role owner`
}

/** Examines how long sessions last and how often somebody may guess a password (rules 18 and 43). */
export function examineSignIn({ sessionDays, rateLimitScale }: Config): string {
  if (rateLimitScale > 1)
    throw new Warning(
      `RATE_LIMIT_SCALE lets everybody guess passwords ${rateLimitScale} times as often. Remove it`,
    )
  return `sessions end after ${sessionDays} days, and an account is locked for the network of who guesses`
}

/** Finds the connections that the operator has allowed without encryption (rule 40). */
export function examineEncryption({
  production,
  bucket,
  demandsStartTls,
  smtpUrl,
  databaseUrl,
}: Config): string {
  const isAsked = bucket?.endpoint.startsWith('http:')
  if (isAsked) throw new Warning('files go to the bucket of S3_URL in clear')
  if (!production) return 'clear text is refused in production only'
  if (smtpUrl?.reveal().startsWith('smtp:') && !demandsStartTls)
    throw new Warning(
      'mails may go to the server of SMTP_URL in clear, because it is on this machine or says tls=off',
    )
  return databaseUrl
    ? 'asked of the mail server, the database and the bucket'
    : 'asked of the mail server and the bucket'
}

/** Compares SECRET_KEY with the key that sealed the database. No process starts with another key, as it could open nothing there. */
export async function examineKey(client: pg.Client, { secretKey, formerSecretKey }: Config): Promise<string> {
  const { fingerprint, former } = deriveKeys(secretKey, formerSecretKey)
  const present = (await knownKeys(client)).find(({ retired }) => !retired)?.fingerprint
  if (present === undefined) return `${fingerprint}; the first start keeps it in the database`
  if (present === fingerprint && former)
    throw new Warning('everything is sealed with SECRET_KEY. Remove SECRET_KEY_OLD')
  if (present === fingerprint) return `${fingerprint}, the database's`
  if (present === former?.fingerprint)
    throw new Warning('the database still has the key of SECRET_KEY_OLD. Run: hostdesk keys reseal')
  throw new Error(keyRefused(fingerprint, present))
}

const SEEN_LATELY_ms = 7 * 86_400_000

/** Finds proxies that TRUSTED_PROXIES does not count (rule 41). Everybody behind such a proxy counts as one address. */
export async function examineProxies(
  client: pg.Client,
  { trustedProxies, publicOrigin }: Config,
): Promise<string> {
  if (trustedProxies > 0) return `the nearest ${trustedProxies} may say whom they forward for`
  const seen = await lastObserved(client, 'forwarded_without_trusted_proxies')
  const isLately = seen && Date.now() - seen.getTime() < SEEN_LATELY_ms
  if (!isLately && publicOrigin.startsWith('https:'))
    throw new Warning(
      'PUBLIC_ORIGIN is https and Hostdesk speaks http, so a proxy stands in front, and TRUSTED_PROXIES is 0. Set it to the number of proxies, and let them set X-Forwarded-For.',
    )
  if (!isLately) return 'none, and nothing was forwarded lately'
  throw new Warning(
    `a forwarded request arrived on ${seen.toISOString()}, and TRUSTED_PROXIES is 0: everybody behind that proxy counts as one address. Set TRUSTED_PROXIES to the number of proxies in front.`,
  )
}
