import * as z from 'zod/mini'
import { errorCode } from '#foundation/server/error-code.ts'
import { unverified, type VatIdAnswer, type VatIdSource } from './vat-id-source.ts'

// The service of the European Commission (VIES): one host, which no setting and no customer changes (rule 26).
const SERVICE = 'https://ec.europa.eu/taxation_customs/vies/rest-api'
const LATEST_MS = 10_000
const MOST_BYTES = 65_536

/**
 * VIES by its REST interface. Only a complete answer about the very VAT id that was asked counts: a status other than 200, an error
 * inside the answer, another number, or a shape that is not the published one gives `unverified`.
 */
export const vies = (service = SERVICE, latest_ms = LATEST_MS): VatIdSource => ({
  name: 'vies',
  async check(vat_id, requester) {
    try {
      const { status, text } = await ask(service, latest_ms, questionOf(vat_id, requester))
      const raw = { status, body: readable(text, RAW_LENGTH) }
      return status === 200 ? answerIn(text, vat_id, raw) : unverified(raw)
    } catch (error) {
      return unverified({ error: errorCode(error) ?? (error instanceof Error ? error.name : 'unknown') })
    }
  },
})

const RAW_LENGTH = 4_000

const questionOf = (vat_id: string, requester: string) => ({
  countryCode: vat_id.slice(0, 2),
  vatNumber: vat_id.slice(2),
  ...(requester && {
    requesterMemberStateCode: requester.slice(0, 2),
    requesterNumber: requester.slice(2),
  }),
})

async function ask(
  service: string,
  latest_ms: number,
  question: object,
): Promise<{ status: number; text: string }> {
  // oxlint-disable-next-line hostdesk/server -- a constant; tests name a server of their own
  const response = await fetch(`${service}/check-vat-number`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(question),
    redirect: 'error',
    // The limit is for the answer as a whole: the attack is a server that sends a byte now and then.
    signal: AbortSignal.timeout(latest_ms),
  })
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    if (size > MOST_BYTES) throw Object.assign(new Error('VIES says too much'), { code: 'TOO_LONG' })
    parts.push(part)
  }
  return { status: response.status, text: Buffer.concat(parts).toString('utf8') }
}

const answer = z.object({
  countryCode: z.string(),
  vatNumber: z.string(),
  valid: z.boolean(),
  actionSucceed: z.optional(z.literal(true)),
  errorWrappers: z.optional(z.array(z.never())),
  userError: z.optional(z.nullable(z.enum(['VALID', 'INVALID', '']))),
  requestIdentifier: z.optional(z.nullable(z.string())),
  name: z.optional(z.nullable(z.string())),
  address: z.optional(z.nullable(z.string())),
})

function answerIn(text: string, vat_id: string, raw: VatIdAnswer['raw']): VatIdAnswer {
  const parsed = answer.safeParse(JSON.parse(text))
  if (!parsed.success) return unverified(raw)
  const { countryCode, vatNumber, valid, userError, requestIdentifier, name, address } = parsed.data
  const isAboutIt = `${countryCode}${vatNumber}`.toUpperCase() === vat_id
  const isClear = !userError || (userError === 'VALID') === valid
  if (!isAboutIt || !isClear) return unverified(raw)
  return {
    verdict: valid ? 'valid' : 'invalid',
    consultation_number: /^[\w-]{1,60}$/.test(requestIdentifier ?? '') ? (requestIdentifier ?? '') : '',
    name: readable(name ?? '', NAME_LENGTH),
    address: readable(address ?? '', NAME_LENGTH),
    raw,
  }
}

const NAME_LENGTH = 500

/** Returns text that the database can store, without NUL and lone surrogates; '' for `---`, which VIES writes if it has no data. */
const readable = (text: string, most: number): string =>
  text === '---'
    ? ''
    : text
        .slice(0, most)
        .toWellFormed()
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
