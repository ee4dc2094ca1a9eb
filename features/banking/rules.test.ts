import { expect, it } from 'vitest'
import { checkDigits } from '#features/finance/rules.ts'
import { isProbablySame, judge, nearSearch, referencesIn, type Candidate } from './rules.ts'

const made = (stem: string) => `${stem}-${checkDigits(stem)}`
const ONE = made('HD-KXQM-4711')

it('finds references however they were typed, broken or run together, each once; wrong check digits, and none, make no reference', () => {
  const [other, third] = [made('HD-ABCD-0001'), made('HD-EFGH-2222')]
  const texts = [
    `Guthaben ${ONE.toLowerCase().replaceAll('-', ' ')} 12`,
    ONE.replace('KX', 'KX\n').replace('47', '47\n'),
    `RECHNUNG${other.replaceAll('-', '')}${third}`,
    'HD-KXQM-471 und HD KXQ1 4711',
    'HD-KXQM-4711, HD-KXQM-4711-00',
  ]
  expect(referencesIn(texts)).toEqual([ONE, other, third])
})

it('finds a known reference with one character wrong, two swapped or no check digits, and none that is farther off', () => {
  const near = nearSearch([ONE, made('HD-ABCD-0001')])
  const typed = [
    ONE.replace('M', 'O'),
    ONE.replace('711', '771'),
    ONE.replace('HD', 'DH'),
    `zahlung ${ONE.toLowerCase().replaceAll('-', ' ').replace('xq', 'qx')}`,
    ONE.replace('HD-', 'HO '),
    'HD-KXQM-4711',
    'HD-KXQM-4711-00',
  ]
  for (const text of typed) expect([near([text]), referencesIn([text])], text).toEqual([[ONE], []])
  for (const text of [ONE.replace('QM', 'OO'), ONE.replace('KXQM', 'QKMX'), 'KXQM', '', 'Miete November'])
    expect(near([text]), text).toEqual([])
})

const transfer = (changes: Partial<Candidate> = {}): Candidate => ({
  id: 't1',
  user_id: 'u1',
  amount: 2500n,
  paid: false,
  ...changes,
})

it.each([
  ['the reference and the amount', { amount: 2500n, named: [transfer()] }, {}, 'exact', null],
  ['another amount', { amount: 2499n, named: [transfer()] }, {}, 'ambiguous', 'amount_differs'],
  [
    'a transfer that was paid',
    { amount: 2500n, named: [transfer({ paid: true })] },
    {},
    'ambiguous',
    'paid_before',
  ],
  [
    'two references',
    { amount: 2500n, named: [transfer(), transfer({ id: 't2' })] },
    {},
    'ambiguous',
    'several_references',
  ],
  [
    'a reference that is nearly one',
    { amount: 2500n, near: [transfer()] },
    {},
    'ambiguous',
    'near_reference',
  ],
  ['none, from a known account', { amount: 2500n }, { payer: transfer() }, 'ambiguous', 'known_payer'],
  ['money that went back', { amount: -2500n }, { returned: transfer() }, 'ambiguous', 'return'],
  ['money that left, with a reference', { amount: -2500n, named: [transfer()] }, {}, 'unknown', null],
  ['nothing that is known', { amount: 2500n }, {}, 'unknown', null],
] as const)('with %s a payment is judged so', (_, payment, others, match, cause) => {
  expect(judge({ named: [], near: [], ...payment }, others)).toMatchObject({ match, cause })
})

it.each([
  [
    'a cut name, and a text that CSV runs together',
    {},
    { iban: '', name: 'JÜRGEN BERGER AUS', text: 'RECHNUNG2026 17' },
    true,
  ],
  ['no text in one of them', {}, { text: '' }, true],
  ['another account of the same name', {}, { iban: 'DE75512108001245126199' }, false],
  ['another purpose', {}, { text: 'Rechnung 2026-18' }, false],
  ['nobody’s name', { iban: '' }, { iban: '', name: '' }, false],
  ['another end-to-end id', { end_to_end: 'E-1' }, { end_to_end: 'E-2' }, false],
  [
    'the same end-to-end id, whatever else it says',
    { end_to_end: 'E-1' },
    { end_to_end: 'E-1', text: 'Danke' },
    true,
  ],
])('payments of one day and amount are probably one: %s', (_name, one, other, expected) => {
  const told = {
    name: 'Jürgen Berger aus Ahlen',
    iban: 'DE02',
    text: 'Rechnung 2026-17',
    end_to_end: '',
    ...one,
  }
  expect(isProbablySame(told, { ...told, ...other })).toBe(expected)
  expect(isProbablySame({ ...told, ...other }, told)).toBe(expected)
})
