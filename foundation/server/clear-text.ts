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
 * Connections that would cross a network in clear text (rule 40): passwords of customers' mails, rows of the database, uploaded files. The
 * operator may have a network that nobody else can listen to, and then sets `?tls=off`.
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

/** True where mails may leave only after STARTTLS: anybody between here and the mail server can take it out of the greeting. */
export function demandsStartTls(smtpUrl: Secret | undefined): boolean {
  const url = URL.parse(smtpUrl?.reveal() ?? '')
  return url?.protocol === 'smtp:' && !isClearAsked(url) && !isLoopbackName(url.hostname)
}

/** Returns an address without `tls=off`, a word of ours that the libraries do not know. */
export const withoutTlsWord = (address: Secret): Secret =>
  new Secret(
    address
      .reveal()
      .replace(/([?&])tls=off(&|$)/, (_, before: string, after: string) => (after ? before : '')),
  )

// With these the driver encrypts; the others (prefer, allow) take clear text where TLS is not to be had.
const encrypting = new Set(['require', 'verify-ca', 'verify-full', 'no-verify'])

const isPrivate = (address: string): boolean => addressesOf(address).every(isPrivateHost)

function isPrivateHost(address: string): boolean {
  // A socket of this machine has no host before the path, which URL cannot read.
  const url = URL.parse(address.replace(/^(postgres(?:ql)?:\/\/(?:[^/@]*@)?)\//, '$1localhost/'))
  if (!url || isClearAsked(url)) return true
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  if (host.startsWith('/') || isLoopbackName(host)) return true
  return encrypting.has(url.searchParams.get('sslmode') ?? '') || url.searchParams.get('ssl') === 'true'
}

const isClearAsked = (url: URL) => url.searchParams.get('tls') === 'off'
