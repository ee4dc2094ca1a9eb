import { expect, it } from 'vitest'
import { checkDigits } from '#features/finance/rules.ts'
import { isProbablySame, judge, nearSearch, referencesIn, type Candidate } from './rules.ts'

it('finds references however they were typed, broken or run together, each once', () => {
  const texts = [
    'Guthaben hd kxqm 4711',
    'HD-KX\nQM-47\n11',
    'RECHNUNGHDABCD0001HD-EFGH-2222',
    'HD-KXQM-471 und HD KXQ1 4711',
  ]
  expect(referencesIn(texts)).toEqual(['HD-KXQM-4711', 'HD-ABCD-0001', 'HD-EFGH-2222'])
})

it('finds a known reference with one character wrong or two swapped, and none that is farther off', () => {
  const near = nearSearch(['HD-KXQM-4711', 'HD-ABCD-0001'])
  for (const typed of [
    'HD-KXOM-4711',
    'HD-KXQM-4771',
    'DH-KXQM-4711',
    'zahlung hd kqxm 4711',
    'HO KXQM 4711',
  ])
    expect(near([typed]), typed).toEqual(['HD-KXQM-4711'])
  for (const typed of ['HD-KXOO-4711', 'HD-QKMX-4711', 'KXQM', '', 'Miete November'])
    expect(near([typed]), typed).toEqual([])
})

it('takes check digits where they are right; wrong ones, and none, make a reference a near one', () => {
  const made = 'HD-KXQM-4711-' + checkDigits('HD-KXQM-4711')
  expect(referencesIn([made.toLowerCase().replaceAll('-', ' ')])).toContain(made)
  const near = nearSearch([made])
  for (const typed of ['HD-KXQM-4711', 'HD-KXQM-4711-00', made.replace('KX', 'XK'), made.replace('M', 'N')]) {
    expect(referencesIn([typed]), typed).not.toContain(made)
    expect(near([typed]), typed).toEqual([made])
  }
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
