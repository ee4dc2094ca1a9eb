import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { readStatements } from './camt.ts'
import { newAmong } from './known-lines.ts'

function* inPieces(text: string, size = 1000) {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}
const own = { iban: 'DE02120300000000202051', currency: 'EUR' }
const read = (text: string, size?: number) => readStatements(inPieces(text, size), own)
const linesIn = async (text: string) => (await read(text)).statements.flatMap(({ lines }) => lines)
const reasonsIn = async (text: string) => (await read(text)).odd.map(({ kind, reason }) => [kind, reason])
const refusalOf = (text: string) =>
  read(text).then(
    () => 'none',
    (error: Error) => error.message,
  )

const payment = { amount: 25_00, text: 'HD-KXQM-4711', name: 'Anna & Söhne', iban: 'DE75512108001245126199' }

it.each(['001.02', '001.08', '001.13'])(
  'reads what a statement of version %s says, whatever the pieces it comes in',
  async (version) => {
    for (const size of [1, 7, 100_000]) {
      const { statements } = await read(
        bankStatement([payment, { amount: -3_50, name: 'Bank' }], { version }),
        size,
      )
      expect(statements).toMatchObject([
        {
          kind: 'camt.053',
          page: null,
          id: 'STMT-1',
          ...own,
          opened_on: '2026-11-20',
          opening: 100_000n,
          closing: 102_150n,
          lines: [
            {
              booked_on: '2026-11-20',
              amount: 2500n,
              name: 'Anna & Söhne',
              iban: payment.iban,
              text: 'HD-KXQM-4711',
              end_to_end: '',
              place: 1,
            },
            { amount: -350n, name: 'Bank', iban: '', text: '', place: 2 },
          ],
        },
      ])
    }
  },
)

const entry = (inside: string, { amount = '50.00', direction = 'CRDT', status = 'BOOK' } = {}) =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${direction}</CdtDbtInd><Sts>${status}</Sts>
  <BookgDt><Dt>2026-11-17</Dt></BookgDt><AcctSvcrRef>J1</AcctSvcrRef>${inside}</Ntry>`
const file = (inside: string, [report, container] = ['BkToCstmrStmt', 'Stmt']) =>
  `<Document><${report}><${container}><Id>r1</Id><Acct><Id><IBAN>${own.iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>
  ${inside}</${container}></${report}></Document>`
const detail = (path: readonly string[], amount: string, { currency = 'EUR', direction = '' } = {}) => {
  const money = `<Amt Ccy="${currency}">${amount}</Amt>`
  const inside = path.reduceRight((text, name) => `<${name}>${text}</${name}>`, money)
  const indicator = direction ? `<CdtDbtInd>${direction}</CdtDbtInd>` : ''
  return `<TxDtls><Refs><EndToEndId>E${amount}</EndToEndId></Refs>${indicator}
    ${path.length > 0 ? `<AmtDtls>${inside}</AmtDtls>` : money}</TxDtls>`
}
const batch = (amount: string, details: readonly string[], told?: number) =>
  entry(
    `<NtryDtls>${told === undefined ? '' : `<Btch><NbOfTxs>${told}</NbOfTxs></Btch>`}${details.join('')}</NtryDtls>`,
    { amount },
  )

it.each([
  ['camt052', ['BkToCstmrAcctRpt', 'Rpt'], 'camt.052'],
  ['camt054', ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'], 'camt.054'],
] as const)('%s: a report and a notice are read by the status of their entries', async (_, names, kind) => {
  const { statements, pending, odd } = await read(
    file(entry('') + entry('', { status: 'PDNG' }) + entry('', { status: '' }), [...names]),
  )
  expect(statements).toMatchObject([{ kind, id: 'r1', lines: [{ amount: 5000n, bank_ref: 'J1' }] }])
  expect(pending).toBe(1)
  expect(odd).toMatchObject([{ kind: 'entry', reason: 'state_unclear', source: 'r1', place: 3 }])
})

it.each([
  ['batch-instructed-amounts', ['InstdAmt']],
  ['the amounts of the transactions', ['TxAmt']],
  ['counter values', ['CntrValAmt']],
  ['amounts of their own', []],
])('a batch is read by its parts: %s', async (_, path) => {
  const lines = await linesIn(file(batch('429.56', [detail(path, '329.56'), detail(path, '100.00')], 2)))
  expect(lines).toMatchObject([
    { amount: 32_956n, end_to_end: 'E329.56', batch_amount: 42_956n, doubt: null },
    { amount: 10_000n, end_to_end: 'E100.00', batch_amount: 42_956n, doubt: null },
  ])
})

it('a batch whose parts go both ways, or stand at different places, is what adds up to it', async () => {
  const returned = [detail([], '60.00', { direction: 'CRDT' }), detail([], '10.00', { direction: 'DBIT' })]
  expect(await linesIn(file(batch('50.00', returned)))).toMatchObject([{ amount: 6000n }, { amount: -1000n }])
  const mixed = [detail(['TxAmt'], '20.00'), detail(['InstdAmt'], '30.00')]
  expect(await linesIn(file(batch('50.00', mixed)))).toMatchObject([{ amount: 2000n }, { amount: 3000n }])
})

it.each([
  ['do not add up to it', [detail(['InstdAmt'], '329.56'), detail(['InstdAmt'], '99.00')], undefined],
  [
    'are in other money',
    [detail(['InstdAmt'], '329.56', { currency: 'USD' }), detail(['InstdAmt'], '100.00')],
    undefined,
  ],
  ['are not all there', [detail(['InstdAmt'], '429.56')], 2],
  ['are not given', [], 7],
] as const)('a batch whose parts %s stands as a whole, for a person to look at', async (_, details, told) => {
  expect(await linesIn(file(batch('429.56', details, told)))).toMatchObject([
    { amount: 42_956n, end_to_end: '', batch_amount: null, doubt: 'batch_not_split' },
  ])
})

it('rule 51, rule 52: an entry that is not certain is set aside with its reason, and the others are read', async () => {
  const good = bankStatement([payment, { ...payment, amount: 7_00 }])
  const odd = {
    amount_unclear: good.replaceAll('>25.00<', '>25,00<'),
    day_unclear: good.replace('2026-11-20</Dt></BookgDt>', '2026-02-30</Dt></BookgDt>'),
    wrong_currency: good.replaceAll('<Amt Ccy="EUR">25.00', '<Amt Ccy="CHF">25.00'),
    direction_unclear: good.replace(/(>25\.00<\/Amt>\s*<CdtDbtInd>)CRDT/, '$1'),
    state_unclear: good.replace('<Cd>BOOK</Cd>', '<Cd>MAYBE</Cd>'),
  }
  for (const [reason, text] of Object.entries({
    ...odd,
    'half a cent': good.replaceAll('>25.00<', '>25.005<'),
  })) {
    const { statements, odd: parts } = await read(text)
    expect(statements, reason).toMatchObject([{ lines: [{ amount: 700n }] }])
    expect(parts, reason).toMatchObject([
      {
        kind: 'entry',
        reason: reason === 'half a cent' ? 'amount_unclear' : reason,
        place: 1,
        source: 'STMT-1',
      },
    ])
    expect(parts[0]?.shown, reason).toContain('HD-KXQM-4711')
  }
})

it('rule 51: statements of others, of other money or with other balances are set aside, and the rest of the file is read', async () => {
  const inside = (text: string) => must(/<Stmt>.*<\/Stmt>/s.exec(text))[0]
  const good = bankStatement([payment])
  const others = [
    bankStatement([payment], { iban: 'DE75512108001245126199', id: 'OTHER' }),
    bankStatement([payment], { currency: 'CHF' }),
    bankStatement([payment], { closing: 1 }),
  ]
  const { statements, odd } = await read(good.replace('</Stmt>', `</Stmt>${others.map(inside).join('')}`))
  expect(statements).toHaveLength(1)
  expect(odd.map(({ kind, reason, place }) => [kind, reason, place])).toEqual([
    ['statement', 'wrong_account', 2],
    ['statement', 'wrong_currency', 3],
    ['statement', 'balance_mismatch', 4],
  ])
  expect(odd[0]?.shown).toContain('DE75512108001245126199 · OTHER · EUR')
  // A file that is cut off behind its first statement.
  expect(await reasonsIn(good.replace('</BkToCstmrStmt></Document>', '<Stmt><Id>'))).toEqual([
    ['statement', 'unreadable_file'],
  ])
})

it('rule 53: a payment is known by all its fields and its count, and a reference only tells payments apart', async () => {
  const lines = await linesIn(bankStatement([payment, payment]))
  const first = newAmong(lines, [])
  expect(first.fresh.map(({ nth }) => nth)).toEqual([1, 2])
  const stored = (fresh: typeof first.fresh) =>
    fresh.map((line) => ({ ...line, id: `${line.bank_ref}${line.nth}`, is_of_other_page: false }))
  expect(newAmong(lines, stored(first.fresh))).toMatchObject({ fresh: [], known: ['2', '1'] })
  expect(newAmong([...lines, ...lines], stored(first.fresh)).fresh.map(({ nth }) => nth)).toEqual([3, 4])
  const [one] = lines
  const other = (changes: Partial<typeof one>) => ({ ...must(one), ...changes })
  // One field differs at a time, and each time it is another payment.
  for (const changes of [
    { booked_on: '2026-11-21' },
    { amount: 2501n },
    { name: 'Anna' },
    { iban: 'DE02' },
    { text: 'HD' },
    { end_to_end: 'E-1' },
  ])
    expect(
      newAmong([other({ ...changes, bank_ref: 'A' })], stored(newAmong([other({ bank_ref: 'A' })], []).fresh))
        .fresh,
    ).toHaveLength(1)
  // Two references make two payments; one that has none is any of them, once.
  const [a, b, none] = ['A', 'B', ''].map((bank_ref) => other({ bank_ref }))
  const ab = stored(newAmong([must(a), must(b)], []).fresh)
  expect(newAmong([must(none), must(b)], ab)).toMatchObject({ fresh: [], known: ['B1', 'A1'] })
  expect(newAmong([must(b)], stored(newAmong([must(a)], []).fresh)).fresh).toHaveLength(1)
})

it('refuses a file that is cut off or no statement', async () => {
  const good = bankStatement([payment])
  const bad = {
    cut: good.slice(0, -200),
    'no XML': 'Datum;Betrag;Text',
    nothing: '',
    'another document': '<a><b/></a>',
  }
  for (const [name, text] of Object.entries(bad)) expect(await refusalOf(text), name).toBe('unreadable_file')
})

it('the balances are checked of a statement that is whole, and not of a page of one', async () => {
  const wrong = bankStatement([payment], { closing: 1 })
  const paged = (number: number, isLast: boolean) =>
    wrong.replace(
      '</Id><FrToDt>',
      `</Id><StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn><FrToDt>`,
    )
  expect(await reasonsIn(paged(1, true))).toEqual([['statement', 'balance_mismatch']])
  expect((await read(paged(2, true))).statements).toMatchObject([{ page: 2 }])
})

it('reads no entities of a file’s own, and no more elements or depth than a statement has', async () => {
  const good = bankStatement([payment])
  const bomb = `<!DOCTYPE a [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "&a;&a;&a;&a;">]>`
  const hostile = {
    bomb: good.replace('<Document', `${bomb}<Document`),
    entity: good.replace('HD-KXQM-4711', '&xxe;'),
    deep: `<Document>${'<a>'.repeat(100)}`,
    wide: `<Document><Stmt><Ntry>${'<a/>'.repeat(400_000)}`,
  }
  for (const [name, text] of Object.entries(hostile))
    expect(await refusalOf(text), name).toBe('unreadable_file')
})
