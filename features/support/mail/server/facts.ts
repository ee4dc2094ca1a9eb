import { addressParser, type Email } from 'postal-mime'
import type { DroppedReason } from '#features/support/mail/rules.ts'

/** The words of a mail's headers. Nothing of it proves who wrote it. */
export type Facts = {
  /** The one sender; undefined where there is none, or more than one, or something that programs read in different ways. */
  from: { address: string; name: string } | undefined
  subject: string
  message_id: string
  /** All addresses that the mail names as its recipients, also those that mail servers noted. */
  recipients: string[]
  /** The ones of To and Cc alone, to whom the author wrote. */
  named: string[]
  automatic: DroppedReason | undefined
  /** Only the headers are here. */
  too_large: boolean
  /** Set where the operator's own server calls the mail forged. */
  forged: boolean
}

type Wanted = { authServer: string | undefined }

/** The header that marks a mail of which only the headers are kept. A sender who writes it into a mail has the mail held. */
export const TOO_LARGE = 'X-Hostdesk-Too-Large'

const MOST_HOPS = 30
const MOST_RECIPIENTS = 100

export function factsOf(email: Pick<Email, 'headers' | 'subject'>, { authServer }: Wanted): Facts {
  const valuesOf = (key: string) =>
    email.headers.filter((header) => header.key === key).map(({ value }) => value)
  return {
    from: senderIn(valuesOf('from')),
    subject: (email.subject ?? '').replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ').trim(),
    message_id: idIn(valuesOf('message-id')[0] ?? ''),
    recipients: recipientsIn(
      ['delivered-to', 'x-original-to', 'envelope-to', 'x-envelope-to', 'to', 'cc'].flatMap(valuesOf),
    ),
    named: recipientsIn(['to', 'cc'].flatMap(valuesOf)),
    automatic: automaticBy(valuesOf),
    too_large: valuesOf(TOO_LARGE.toLowerCase()).length > 0,
    forged:
      authServer !== undefined &&
      valuesOf('authentication-results').some((value) => isFailure(value, authServer)),
  }
}

/**
 * Reads the sender strictly. The attack is a header that one program reads as another address than the next: two of them, a group, an address
 * in a name without quotes, a control character.
 */
function senderIn([value, ...more]: readonly string[]): Facts['from'] {
  if (value === undefined || more.length > 0 || /\p{Cc}/u.test(value) || value.length > 1000) return undefined
  const bare = value.replaceAll(/"(?:[^"\\]|\\.)*"/gu, '').replaceAll(/\((?:[^()\\]|\\.)*\)/gu, '')
  if (bare.split('@').length !== 2 || /[;,]/u.test(bare)) return undefined
  const [one, ...others] = addressParser(value)
  if (one?.address === undefined || others.length > 0) return undefined
  return { address: one.address, name: one.name.replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim() }
}

const idIn = (value: string): string => /<([^<>\s]{1,500})>/u.exec(value)?.[1] ?? ''

function recipientsIn(values: readonly string[]): string[] {
  const parsed = values.flatMap((value) => addressParser(value.slice(0, 20_000), { flatten: true }))
  const addresses = parsed.flatMap(({ address }) => (address ? [address.toLowerCase()] : []))
  return [...new Set(addresses)].slice(0, MOST_RECIPIENTS)
}

/** Says whether a program sent the mail, and not a person (RFC 3834 2): answers to such mails would never end. */
function automaticBy(valuesOf: (key: string) => string[]): DroppedReason | undefined {
  const has = (key: string) => valuesOf(key).length > 0
  // Postfix hands the null sender over as `MAILER-DAEMON`, unless `null_sender` says otherwise (its pipe(8)).
  if (valuesOf('return-path').some((value) => /^\s*<\s*(?:mailer-daemon)?\s*>\s*$/iu.test(value)))
    return 'null_sender'
  if (valuesOf('auto-submitted').some((value) => !/^\s*no\b/iu.test(value))) return 'auto_submitted'
  if (['x-autoreply', 'x-autorespond', 'x-auto-response-suppress-reply'].some(has)) return 'auto_submitted'
  if (valuesOf('precedence').some((value) => /bulk|junk|list|auto_reply/iu.test(value))) return 'bulk'
  if (has('list-id') || has('list-unsubscribe')) return 'list'
  return valuesOf('received').length > MOST_HOPS ? 'loop' : undefined
}

/** True for results of this very server (RFC 8601 2.2) that call the mail forged. A result that calls it genuine proves nothing: anybody can write it. */
function isFailure(value: string, authServer: string): boolean {
  const [server = '', ...results] = value.split(';')
  return (
    server.trim().split(/\s/u)[0]?.toLowerCase() === authServer &&
    results.some((result) => /\bdmarc\s*=\s*fail\b/iu.test(result))
  )
}
