import type { DocumentInput } from '#features/invoices/server/documents/document-input.ts'
import { sampleInput, sampleKinds, type Sample } from '#tests/harness/billing-documents.ts'
import { must } from '#foundation/must.ts'
import { soldKinds } from './sold-kinds.ts'

/** Every kind of VAT, with a buyer that it applies to. */
const vats: Record<
  string,
  Pick<Sample, 'vat_kind' | 'rate_bp'> & { to: { country: string; vat_id?: string } }
> = {
  standard: { vat_kind: 'standard', rate_bp: 1_900n, to: { country: 'DE' } },
  oss: { vat_kind: 'oss', rate_bp: 2_550n, to: { country: 'FI' } },
  reverse_charge: { vat_kind: 'reverse_charge', rate_bp: 0n, to: { country: 'LV', vat_id: 'LV12345678901' } },
  outside_eu: { vat_kind: 'outside_eu', rate_bp: 0n, to: { country: 'CH' } },
  small_business: { vat_kind: 'small_business', rate_bp: 0n, to: { country: 'DE' } },
}

const counts = [0, 1, 2, 4] as const
const kinds = ['invoice', 'credit_note', 'reissue'] as const

const scripts = {
  latin: 'Łukasz Brückner & Søn <d’Œuvre>',
  cyrillic: 'Михаил Соколов «Ёлка»',
  greek: 'Γιώργος Παπαδόπουλος ᾳ',
  cjk: '李小龍 東京都 髙橋 강남구',
  arabic: 'محمد علي (شركة) ١٢٣ 45',
  hebrew: 'שלום כהן (חברה) 12 בע"מ',
  emoji: 'Anna 🙂🚀 👩‍👩‍👧 ☎️ 🫨',
} as const

/** More than any price. */
const ALL = 1_000_000n

const lengths = ['short', 'long'] as const
const profiles = ['complete', 'mailbox'] as const

export type Case = { name: string; index: number; paper: DocumentInput }

/** Yields the cases in an order in which neighbours differ in most properties: the first cases are a sample of all. */
export function* documentSet({ every = 1 }: { every?: number } = {}): Generator<Case> {
  const all = Object.keys(vats).flatMap((vat) =>
    counts.flatMap((count) =>
      kinds.flatMap((kind) =>
        (Object.keys(scripts) as (keyof typeof scripts)[]).flatMap((script) =>
          lengths.flatMap((length) =>
            profiles.map((profile) => ({ vat, count, kind, script, length, profile })),
          ),
        ),
      ),
    ),
  )
  for (let at = 0; at * every < all.length; at += 1) {
    // A prime step, so that each case comes once.
    const index = (at * STEP) % all.length
    const { vat, count, kind, script, length, profile } = must(all[index])
    const name = [vat, `${count}-notes`, kind, script, length, profile].join(' ')
    yield {
      name,
      index,
      paper: paperOf(must(all[index]), index),
    }
  }
}

/** Yields those that tests make by themselves, and each kind of sold line. */
export function* namedDocuments(): Generator<Case> {
  for (const [name, sample] of Object.entries({ ...sampleKinds, ...soldKinds }))
    yield { name: name.replaceAll(/[^\w ]/g, ''), index: 0, paper: sampleInput(sample) }
}

const STEP = 521

/** The parts of the price that a gift has paid, gross: nothing, a little, or all of it. */
const gifts = [0n, 777n, 0n, 1n, ALL] as const

/** The lines by what they are of: plans, a plan with each kind of extra, the rest of a term, programs, and several servers with add-ons. */
const baskets: readonly Required<Sample>['lines'][] = [
  [
    [1n, 1_990n],
    [3n, 333n],
  ],
  [
    [1n, 1_990n],
    [1n, 2_500n, 'fee'],
    [7n, 333n, 'addon'],
    [2n, 4_999n, 'once'],
  ],
  [
    [1n, 3_217n, 'rest'],
    [1n, 811n, 'addon_rest'],
  ],
  [
    [1n, 1_000n, 'program'],
    [1n, 501n, 'fee'],
  ],
  [
    [1n, 1_990n],
    [2n, 129n, 'addon'],
    [1n, 4_000n],
    [1n, 19_900n],
  ],
]

/** The amounts, net, that a promo code takes off each line: nothing, a part, or all of a line. */
const offs = [0n, 199n, 0n, 1_000n] as const

type Choice = {
  vat: string
  count: number
  kind: (typeof kinds)[number]
  script: keyof typeof scripts
  length: (typeof lengths)[number]
  profile: (typeof profiles)[number]
}

function paperOf(choice: Choice, index: number): DocumentInput {
  const of = <One>(all: readonly One[]): One => must(all[index % all.length])
  const written = scripts[choice.script]
  // 200 characters without a blank, cut between code points.
  const word = [...written.replaceAll(' ', '').repeat(200)].slice(0, 200).join('')
  const words = choice.length === 'short' ? written : word
  const { to, ...vat } = must(vats[choice.vat])
  const nobody = { name: '', company: '', street: '', apartment: '', zip: '', city: '', state: '' }
  const somebody = { name: words, company: words, street: words, city: words }
  const text = (code: 'text' | 'paid', says = '') => ({ code, params: code === 'text' ? { text: says } : {} })
  const notes = [
    text('paid'),
    choice.kind === 'reissue'
      ? { code: 'replaces' as const, params: { number: 'HD-2026-000003', date: '2026-11-01' } }
      : text('text', words),
    text('text', 'A & B < C > D "E"'),
    text('text', words),
  ]
  return sampleInput({
    ...vat,
    gift: of(gifts),
    off: of(offs),
    kind: choice.kind === 'credit_note' ? 'credit_note' : 'invoice',
    locale: must((['en', 'de', 'ru'] as const)[choice.count % 3]),
    // Their number and those of gifts and promo codes have no common factor, or each would stand beside one of the others alone.
    lines: must(baskets[Math.floor(index / 5) % baskets.length]),
    notes: notes.slice(0, choice.count),
    to: { ...(choice.profile === 'complete' ? somebody : nobody), ...to },
    from: choice.length === 'long' ? { name: words } : {},
    ...(choice.profile === 'complete' ? { order_reference: words.slice(0, 60).toWellFormed() } : {}),
    ...(choice.kind === 'reissue' ? { replaces: true, buyer_reference: '04011000-1234512345-06' } : {}),
  })
}
