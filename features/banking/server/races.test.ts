import { randomUUID } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/banking/contract.ts'
import type { BankImport } from '#features/banking/contract.ts'
import { checkLedger } from '#features/finance/server/check.ts'
import { balanceOf } from '#features/finance/server/finance.ts'
import { must } from '#foundation/must.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { bankStatement, type WrittenPayment } from '#tests/harness/bank-statement.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { sendStatement } from '#tests/harness/send-statement.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { bookExact } from './book-exact.ts'

/** The number of rounds; `npm run test:faults -- races` takes 100. */
const ROUNDS = Number(process.env['BANKING_ROUNDS'] ?? 4)

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const members = await Promise.all(Array.from({ length: 3 }, () => signedInStaff(test)))
const [staff] = members.map((member) => must(member))
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const origin = { by: must(staff).user_id, ip: '127.0.0.1', user_agent: 'tests', request_id: 'r' }

let statements = 0
const send = (payments: readonly WrittenPayment[]) =>
  sendStatement(must(staff).api, bankStatement(payments, { id: `S-${(statements += 1)}` }))
const rowsWith = async (texts: readonly string[]) => {
  const { rows } = await superuser.query<{ id: string; state: string; bookings: number }>(
    'select id, state, bookings from bank_lines where text = any ($1) order by place',
    [texts],
  )
  return rows
}

it(
  `B-02, rule 14: payments that are assigned by three members while all exact ones are booked, ${ROUNDS} times: each is booked once`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await signedInCustomer(test)
      const amounts = Array.from({ length: 6 }, (_, place) => 1000 + round * 10 + place)
      const transfers = await Promise.all(amounts.map((amount) => announceTransfer(customer, amount)))
      const texts = transfers.map(({ reference }) => reference)
      const file = await send(amounts.map((amount, place) => ({ amount, text: must(texts[place]) })))
      expect(file).toMatchObject({ status: 201, body: { counts: { exact: amounts.length } } })
      const lines = await rowsWith(texts)
      const assigned = members.map((member) =>
        Promise.all(
          lines.map(async ({ id: lineId }): Promise<number> => {
            const asked = {
              params: { lineId },
              headers: { 'idempotency-key': randomUUID() },
              body: { user_id: customer.user_id, reason: 'By phone' },
            }
            return (await untilAnswered(() => member.api.call(contract.assignBankLine, asked))).status
          }),
        ),
      )
      const [all, ...statuses] = await Promise.all([
        must(staff).api.call(contract.bookExactLines, {}),
        ...assigned,
        bookExact(app, origin).then(() => []),
        bookExact(app, origin).then(() => []),
      ])
      expect(all.status).toBe(202)
      expect(statuses.flat().filter((status) => status !== 409 && status !== 201)).toEqual([])
      await bookExact(app, origin)
      expect((await rowsWith(texts)).map(({ state, bookings }) => [state, bookings])).toEqual(
        lines.map(() => ['booked', 1]),
      )
      expect(await balanceOf(app, app.db, customer.user_id)).toBe(
        amounts.reduce((sum, amount) => sum + BigInt(amount), 0n),
      )
    }
    expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
  },
  60_000 + ROUNDS * 5_000,
)

it(
  `B-01 a payment that stands in five files which are imported at once is one, ${ROUNDS} times`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const customer = await signedInCustomer(test)
      const { reference } = await announceTransfer(customer, 5000 + round)
      // The number has the same length in each round: a text that is the start of another counts as the same text, cut off by the bank.
      const nth = String(round).padStart(4, '0')
      const shared = [
        { amount: 5000 + round, text: reference },
        { amount: 700, text: `shared ${nth}` },
        { amount: 700, text: `shared ${nth}` },
      ]
      const own = (file: number) => ({ amount: 900 + file, text: `own ${nth} ${file}` })
      const files = await Promise.all(Array.from({ length: 5 }, (_, file) => send([...shared, own(file)])))
      expect(files.map(({ status }) => status)).toEqual(files.map(() => 201))
      const sumOf = (name: keyof BankImport['counts']) =>
        files.reduce((sum, { body }) => sum + body.counts[name], 0)
      expect([sumOf('exact'), sumOf('unknown'), sumOf('ambiguous'), sumOf('known')]).toEqual([1, 7, 0, 12])
      await Promise.all([bookExact(app, origin), bookExact(app, origin)])
      expect(await balanceOf(app, app.db, customer.user_id)).toBe(5000n + BigInt(round))
      expect(await rowsWith([reference])).toMatchObject([{ state: 'booked', bookings: 1 }])
    }
  },
  60_000 + ROUNDS * 5_000,
)
