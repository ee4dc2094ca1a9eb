import { expect, it } from 'vitest'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { readStatements } from './camt.ts'

// eslint-disable-next-line typescript/require-await -- as a file comes
async function* inPieces(text: string, size = 1000) {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}
const read = (text: string, size?: number) => readStatements(inPieces(text, size))
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
      const [statement] = await read(
        bankStatement([payment, { amount: -3_50, name: 'Bank' }], { version }),
        size,
      )
      expect(statement).toMatchObject({
        id: 'STMT-1',
        iban: 'DE02120300000000202051',
        currency: 'EUR',
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
          },
          { amount: -350n, name: 'Bank', iban: '', text: '' },
        ],
      })
    }
  },
)

it('splits a batch, leaves out what is not booked yet, and takes an entry whose parts do not add up as one', async () => {
  const batch = [payment, { ...payment, amount: 10_00, text: 'HD-ABCD-0001' }]
  const [whole, broken] = await Promise.all([
    read(
      bankStatement([
        { amount: 35_00, batch },
        { ...payment, status: 'PDNG' },
      ]),
    ),
    read(bankStatement([{ amount: 36_00, batch }])),
  ])
  expect(whole[0]?.lines.map(({ amount, text }) => [amount, text])).toEqual([
    [2500n, 'HD-KXQM-4711'],
    [1000n, 'HD-ABCD-0001'],
  ])
  expect(broken[0]?.lines.map(({ amount }) => amount)).toEqual([3600n])
})

it('tells equal payments apart, and knows each again in another statement', async () => {
  const [one] = await read(bankStatement([payment, payment]))
  const [other] = await read(bankStatement([{ amount: 1_00 }, payment, payment], { id: 'STMT-2' }))
  expect(one?.lines.map(({ nth }) => nth)).toEqual([1, 2])
  expect(other?.lines.slice(1).map(({ key, nth }) => [key, nth])).toEqual(
    one?.lines.map(({ key, nth }) => [key, nth]),
  )
})

it('refuses a statement whose balances do not add up, a truncated statement, and a file that is no statement', async () => {
  const good = bankStatement([payment])
  expect(await refusalOf(bankStatement([payment], { closing: 1 }))).toBe('balance_mismatch')
  const unreadable = {
    cut: good.slice(0, -200),
    'no XML': 'Datum;Betrag;Text',
    nothing: '',
    'another document': '<a><b/></a>',
    'no amount': good.replace('>25.00<', '>25,00<'),
    'half a cent': good.replaceAll('>25.00<', '>25.005<'),
    'a day of no calendar': good.replaceAll('2026-11-20</Dt></BookgDt>', '2026-13-40</Dt></BookgDt>'),
  }
  for (const [name, text] of Object.entries(unreadable))
    expect(await refusalOf(text), name).toBe('unreadable_file')
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
    expect(
      await readStatements(inPieces(text, 65_536)).then(
        () => 'none',
        (error: Error) => error.message,
      ),
      name,
    ).toBe('unreadable_file')
})
