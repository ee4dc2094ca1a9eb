import { addressesOf } from './database/addresses.ts'
import { isLoopbackName } from './loopback.ts'
import { Secret } from './secret.ts'
import type { Bucket } from './storage/bucket-setting.ts'

type Addresses = {
  DATABASE_URL?: Secret | undefined
  DATABASE_LISTEN_URL?: Secret | undefined
  DATABASE_READ_URL?: Secret | undefined
  SMTP_URL?: Secret | undefined
  S3_URL?: Bucket | undefined
}

/**
 * Yields a line for each setting whose connection would carry rows of the database or uploaded files over a network in clear text (rule
 * 40). An operator whose network nobody else can listen to sets `?tls=off`.
 */
export function* clearText({ S3_URL, ...addresses }: Addresses): Generator<string> {
  for (const name of ['DATABASE_URL', 'DATABASE_LISTEN_URL', 'DATABASE_READ_URL'] as const)
    if (addresses[name] && !isPrivate(addresses[name].reveal()))
      yield `${name} leads over a network without TLS. Add ?sslmode=require, or ?tls=off where nobody else hears that network.`
  if (
    S3_URL?.endpoint.startsWith('http:') &&
    !S3_URL.isClearAsked &&
    !isLoopbackName(new URL(S3_URL.endpoint).hostname)
  )
    yield 'S3_URL leads over a network without TLS. Write https://, or add ?tls=off where nobody else hears that network.'
}

/**
 * True if mails may leave only after STARTTLS. The attack is somebody between here and the mail server who removes STARTTLS from its
 * greeting.
 */
export function demandsStartTls(smtpUrl: Secret | undefined): boolean {
  const url = URL.parse(smtpUrl?.reveal() ?? '')
  return url?.protocol === 'smtp:' && !isClearAsked(url) && !isLoopbackName(url.hostname)
}

/** Returns an address without `tls=off`, a parameter of this product that the libraries do not know. */
export const withoutTlsWord = (address: Secret): Secret =>
  new Secret(
    address
      .reveal()
      .replace(/([?&])tls=off(&|$)/, (_, before: string, after: string) => (after ? before : '')),
  )

// With these values of `sslmode` the driver always encrypts; the others (prefer, allow) accept clear text if TLS is not available.
const encrypting = new Set(['require', 'verify-ca', 'verify-full', 'no-verify'])

const isPrivate = (address: string): boolean => addressesOf(address).every(isPrivateHost)

function isPrivateHost(address: string): boolean {
  // The address of a Unix socket has no host before the path, and `URL` cannot read such an address.
  const url = URL.parse(address.replace(/^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)\//, '$1localhost/'))
  if (!url || isClearAsked(url)) return true
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host.startsWith('/') || isLoopbackName(host)) return true
  return encrypting.has(url.searchParams.get('sslmode') ?? '') || url.searchParams.get('ssl') === 'true'
}

const isClearAsked = (url: URL) => url.searchParams.get('tls') === 'off'
