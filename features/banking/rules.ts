import { checkDigits } from '#features/finance/rules.ts'

/** The purpose of a payment on a bank statement, as far as the statement itself says it. */
export const matches = ['exact', 'ambiguous', 'unknown'] as const
export type Match = (typeof matches)[number]

/** The reasons why a person has to look at a payment before it is booked. */
export const causes = [
  /** The transfer was announced with another amount. */
  'amount_differs',
  /** The transfer has been paid already. */
  'paid_before',
  'several_references',
  /** One letter off, or two swapped. */
  'near_reference',
  /** The payment has no reference, and the payer's account has paid for this customer before. */
  'known_payer',
  /** The bank took a payment back. */
  'return',
  /** Another statement has what is probably this payment. */
  'duplicate',
] as const
export type Cause = (typeof causes)[number]

export const lineStates = ['open', 'booked', 'ignored'] as const
export type LineState = (typeof lineStates)[number]

/** The largest statement that is taken, in bytes and in payments. */
export const MOST_FILE_BYTES = 20_000_000
export const MOST_LINES = 50_000

/**
 * Our references in texts of a bank, in the forms in which they may have been made, each once; however they were typed or broken. Two
 * digits behind one count as its check digits where they are right. Behind one that was made without any they are something else.
 */
export function referencesIn(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) =>
    [...bare(text).matchAll(/HD([A-Z]{4})(\d{4})(\d\d)?/g)].flatMap(([, letters, digits, check]) => {
      const stem = `HD-${letters}-${digits}`
      return check !== undefined && check === checkDigits(stem) ? [`${stem}-${check}`, stem] : [stem]
    }),
  )
  return [...new Set(found)]
}

const bare = (text: string) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

const STEM_LENGTH = 'HDABCD1234'.length
const LENGTHS = [STEM_LENGTH, 'HDABCD123476'.length] as const

/** Finds those of the known references that a text has with one character wrong, with two neighbours swapped, or without their check digits. */
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
 * True where two payments of one day and amount are probably one: a bank writes the same payment in another way in CSV than in CAMT, and
 * there its own reference is missing. The payer must be the same, and nothing that both say of the purpose may differ.
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

/** CSV cuts long names. */
const startsAlike = (one: string, other: string): boolean =>
  one === other || (one !== '' && other !== '' && (one.startsWith(other) || other.startsWith(one)))

const lettersOf = (text: string) =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')

/** A transfer that a payment may be for. `amount` in minor units. */
export type Candidate = { id: string; user_id: string; amount: bigint; paid: boolean }

/** A payment as the statement has it; `amount` in minor units, negative where the money left. */
export type Payment = { amount: bigint; named: readonly Candidate[]; near: readonly Candidate[] }

export type Judged = { match: Match; cause: Cause | null; top_up: Candidate | undefined }

/**
 * Only one reading is exact: money that came, with the reference of one transfer that nothing was paid for, in its amount. All else
 * is left to a person. `payer` is a transfer of the payer's that waits, and `returned` the one that a payment back was for.
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
