import { checkDigits } from '#features/finance/rules.ts'

/** The certainty with which a bank statement alone shows the transfer that a payment is for. */
export const matches = ['exact', 'ambiguous', 'unknown'] as const
export type Match = (typeof matches)[number]

/** The reasons why a person has to check a payment before it is booked. */
export const causes = [
  /** The transfer was announced with another amount. */
  'amount_differs',
  /** The transfer has been paid already. */
  'paid_before',
  'several_references',
  /** One letter of the reference is wrong, or two are swapped. */
  'near_reference',
  /** The payment has no reference, and the payer's account has paid for this customer before. */
  'known_payer',
  /** The bank took a payment back. */
  'return',
  /** Another statement probably has the same payment. */
  'duplicate',
  /** A batch whose parts are not given, or do not add up to it: it stands as a whole. */
  'batch_not_split',
  /** A batch whose parts came later, each as a payment of its own. */
  'came_in_parts',
] as const
export type Cause = (typeof causes)[number]

/** The parts of a file that may be set aside: an entry of a statement, a row of CSV, a whole statement, or a file within a ZIP. */
export const oddKinds = ['entry', 'row', 'statement', 'file'] as const
export type OddKind = (typeof oddKinds)[number]

/** The reasons why a part of a file is set aside: nothing is booked of what is not certain (rule 52). */
export const oddReasons = [
  'unreadable_file',
  'encrypted_file',
  'csv_needs_form',
  'balance_mismatch',
  'wrong_account',
  'wrong_currency',
  'day_unclear',
  'amount_unclear',
  'direction_unclear',
  'state_unclear',
  'columns_unclear',
] as const
export type OddReason = (typeof oddReasons)[number]

export const oddStates = ['open', 'done'] as const
export type OddState = (typeof oddStates)[number]

export const lineStates = ['open', 'booked', 'ignored'] as const
export type LineState = (typeof lineStates)[number]

/** The size of the largest statement that is accepted, in bytes and in payments. */
export const MOST_FILE_BYTES = 20_000_000
export const MOST_LINES = 50_000
/** The most parts of one file that are set aside; of a file with more, something else is wrong. */
export const MOST_ODD = 1_000

/** Returns our references with right check digits in the texts of a bank, however they were typed or broken. */
export function referencesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    [...bare(text).matchAll(/HD([A-Z]{4})(\d{4})(\d\d)/g)].flatMap(([, letters, digits, check]) => {
      const stem = `HD-${letters}-${digits}`
      return check === checkDigits(stem) ? [`${stem}-${check}`] : []
    }),
  )
  return [...new Set(found)]
}

const bare = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

const STEM_LENGTH = 'HDABCD1234'.length
const LENGTHS = [STEM_LENGTH, 'HDABCD123476'.length] as const

/** Returns a search for known references in texts with one wrong character, two swapped neighbours, or missing check digits. */
export function nearSearch(known: readonly string[]): (texts: readonly string[]) => string[] {
  const exact = new Map(known.map((reference) => [bare(reference), reference]))
  const stems = new Map(known.map((reference) => [bare(reference).slice(0, STEM_LENGTH), reference]))
  const masked = new Map<string, Set<string>>()
  for (const [plain, reference] of exact)
    for (const mask of masksOf(plain)) masked.set(mask, (masked.get(mask) ?? new Set()).add(reference))
  return (texts) => {
    const found = new Set<string>()
    for (const window of texts.flatMap(windowsOf)) {
      const withoutDigits = stems.get(window)
      if (withoutDigits !== undefined) found.add(withoutDigits)
      for (const mask of masksOf(window)) for (const reference of masked.get(mask) ?? []) found.add(reference)
      for (const swapped of swapsOf(window)) {
        const reference = exact.get(swapped)
        if (reference !== undefined) found.add(reference)
      }
    }
    return [...found]
  }
}

function windowsOf(text: string): string[] {
  const plain = bare(text)
  return LENGTHS.flatMap((length) =>
    Array.from({ length: Math.max(0, plain.length - length + 1) }, (_, from) =>
      plain.slice(from, from + length),
    ),
  )
}

const masksOf = (plain: string): string[] =>
  Array.from({ length: plain.length }, (_, place) => `${plain.slice(0, place)}*${plain.slice(place + 1)}`)

const swapsOf = (plain: string): string[] =>
  Array.from(
    { length: plain.length - 1 },
    (_, place) => plain.slice(0, place) + plain[place + 1] + plain[place] + plain.slice(place + 2),
  )

type Told = { name: string; iban: string; text: string; end_to_end: string }

/**
 * True if two payments of the same day and amount are probably one: a bank writes a payment in CSV in another way than in CAMT, and
 * leaves its end-to-end reference out of CSV. The payer must be the same, and neither reference nor text may differ if both have it.
 */
export function isProbablySame(one: Told, other: Told): boolean {
  const isPayer =
    one.iban !== '' && other.iban !== ''
      ? one.iban === other.iban
      : startsAlike(lettersOf(one.name), lettersOf(other.name))
  if (!isPayer) return false
  if (one.end_to_end !== '' && other.end_to_end !== '') return one.end_to_end === other.end_to_end
  const [a, b] = [lettersOf(one.text), lettersOf(other.text)]
  return a.includes(b) || b.includes(a)
}

/** True if one name is the start of the other, as CSV cuts long names. */
const startsAlike = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one)))

const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A transfer that a payment may be for. `amount` in minor units. */
export type Candidate = { id: string; user_id: string; amount: bigint; paid: boolean }

/** A payment of a statement; `amount` is in minor units, negative if the money left the account. */
type Payment = { amount: bigint; named: readonly Candidate[]; near: readonly Candidate[] }

type Judged = { match: Match; cause: Cause | null; top_up: Candidate | undefined }

/**
 * Matches a payment with a transfer. Exact is only money that came in, with the reference of one unpaid transfer and in its amount; all
 * else is left to a person. `payer` is a waiting transfer of the payer's, and `returned` the transfer whose money a return gives back.
 */
export function judge(
  { amount, named, near }: Payment,
  others: { payer?: Candidate | undefined; returned?: Candidate | undefined },
): Judged {
  const ambiguous = (cause: Cause, top_up?: Candidate): Judged => ({ match: 'ambiguous', cause, top_up })
  if (amount < 0n)
    return others.returned
      ? ambiguous('return', others.returned)
      : { match: 'unknown', cause: null, top_up: undefined }
  const [one, ...more] = named
  if (one && more.length > 0) return ambiguous('several_references')
  if (one?.paid) return ambiguous('paid_before', one)
  if (one && one.amount !== amount) return ambiguous('amount_differs', one)
  if (one) return { match: 'exact', cause: null, top_up: one }
  if (near.length > 0) return ambiguous('near_reference', near.length === 1 ? near[0] : undefined)
  if (others.payer) return ambiguous('known_payer', others.payer)
  return { match: 'unknown', cause: null, top_up: undefined }
}
