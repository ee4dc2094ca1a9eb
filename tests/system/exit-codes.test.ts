import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import { exitCodes, type ExitCode } from '#foundation/exit-codes.ts'
import { allPlans } from '#features/licences/server/licences.ts'
import { updateProfile } from '#features/profile/contract.ts'
import { createTicket } from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { TryLater } from '#foundation/server/operator-errors.ts'
import { announceTransfer } from '#tests/harness/announced-transfer.ts'
import { bankStatement } from '#tests/harness/bank-statement.ts'
import { signedInStaff } from '#tests/harness/customer.ts'
import { freePort } from '#tests/harness/free-port.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { buyer, orderHost, spendingOf, stockShop } from '#tests/harness/shop.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const { app } = test
await stockShop(test)
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-exit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const other = path.join(folder, 'other')
const exported = path.join(folder, 'exported.csv')
writeFileSync(other, 'Not a backup.')
const missing = path.join(folder, 'missing')
const rates = path.join(folder, 'eurofxref.csv')
writeFileSync(rates, 'Date, USD, JPY, \n27 November 2026, 1.1566, 180.5, \n')
const edition = path.join(folder, 'edition.json')
const inAll = (text: string) => ({ en: text, de: text, ru: text })
writeFileSync(
  edition,
  JSON.stringify({
    name: inAll('Agency'),
    description: inAll('For agencies'),
    features: [inAll('Backups')],
    entitlements: { machines: 20 },
    rank: 40,
    trial_days: 14,
  }),
)
const product = path.join(folder, 'product.json')
writeFileSync(
  product,
  JSON.stringify({ name: inAll('Backup'), description: inAll('Backups'), kind: 'program' }),
)
const productChange = path.join(folder, 'product-change.json')
writeFileSync(productChange, JSON.stringify({ description: inAll('Backups for all') }))
const extra = path.join(folder, 'extra.json')
writeFileSync(
  extra,
  JSON.stringify({ edition: 'agency', kind: 'addon', name: inAll('Storage'), price_net: '300', most: 9 }),
)
const extraChange = path.join(folder, 'extra-change.json')
writeFileSync(extraChange, JSON.stringify({ price_net: '400' }))
const extraOfNone = path.join(folder, 'extra-of-none.json')
writeFileSync(extraOfNone, readFileSync(extra, 'utf8').replace('agency', 'nothing'))
const editionOfNone = path.join(folder, 'edition-of-none.json')
writeFileSync(editionOfNone, readFileSync(edition, 'utf8').replace('{', '{"product":"nothing",'))
const letter = path.join(folder, 'letter.json')
writeFileSync(letter, JSON.stringify({ kind: 'news', scope: { servers: { country: 'DE' } } }))
const statement = path.join(folder, 'statement.xml')
writeFileSync(statement, bankStatement([{ amount: 700, text: 'Thank you' }]))

// With bookings of a customer, `demo remove` refuses to remove the example account.
const customer = await buyer(test, 5000n)
const sold = bodyOf(await orderHost(customer), 201)
const transfer = await announceTransfer(customer, 2500)
const another = await announceTransfer(customer, 1000)
const member = await signedInStaff(test)
const written = { subject: 'No answer', message: 'x', topic: 'technical' as const }
const ticket = bodyOf(await customer.api.call(createTicket, { body: written }), 201)
const spending = await spendingOf(test, customer.user_id)
const { user_id: example } = await buyer(test, 0n)
await asOwner(test, 'update users set is_example = true where id = $1', [example])

// The tax authority is not asked in tests, so that the VAT id stays unconfirmed.
const austrian = await buyer(test, 0n)
bodyOf(await austrian.api.call(updateProfile, { body: { country: 'AT', vat_id: 'ATU12345678' } }), 200)

const here = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const down = `postgres://hostdesk@127.0.0.1:${await freePort()}/hostdesk`
const refundOnce = ['refund', customer.email, spending, '--reason=Outage', '--idempotencyKey=outage']
const plan = ['P1M', '19.90', 'Extra', 'Extra', 'Экстра']

/** Runs a command. Returns its exit code, chosen as in main.ts. */
async function codeOf(words: readonly string[], surroundings = here): Promise<ExitCode> {
  const name = must(
    [words.slice(0, 2).join(' '), words[0] ?? ''].find((known) => Object.hasOwn(commands, known)),
  )
  const parameters = words.slice(name.split(' ').length)
  const options = {
    ...(parameters.includes('--with-keys') && { withKeys: true }),
    ...(parameters.includes('--dryRun') && { dryRun: true }),
    ...Object.fromEntries(
      parameters.flatMap((word) => {
        const [, name, value] = /^--(\w+)=(.*)$/.exec(word) ?? []
        return name === undefined ? [] : [[name, value ?? '']]
      }),
    ),
  }
  try {
    const given = parameters.filter((word) => !word.startsWith('--'))
    const { failed = false } = await must(commands[name]).run(surroundings, given, options)
    return failed ? exitCodes.failed : exitCodes.done
  } catch (error) {
    return exitCodeOf(error)
  }
}

it.each<[code: ExitCode, words: string[]]>([
  [exitCodes.done, ['create-staff', 'boss@operator.example']],
  [exitCodes.usage, ['create-staff', 'boss']],
  [exitCodes.done, ['create-staff', customer.email]],
  [exitCodes.done, ['staff list']],
  [exitCodes.done, ['approval list']],
  [exitCodes.usage, ['staff role', customer.email, 'king']],
  [exitCodes.notFound, ['staff role', 'boss@operator.example', 'support']],
  [exitCodes.done, ['staff role', customer.email, 'owner']],
  [exitCodes.refused, ['staff revoke', customer.email]],
  [exitCodes.notFound, ['staff revoke', 'nobody@example.org']],
  [exitCodes.refused, ['staff reset-2fa', customer.email]],
  [exitCodes.notFound, ['staff reset-2fa', 'nobody@example.org']],
  [exitCodes.done, ['credit', customer.email, '19.90', 'as agreed']],
  [exitCodes.usage, ['credit', customer.email, 'much', 'as agreed']],
  [exitCodes.usage, ['credit', customer.email, '19.90', '']],
  [exitCodes.notFound, ['credit', 'nobody@example.org', '19.90', 'as agreed']],
  [exitCodes.done, ['voucher make', '5.00', '1', '30', '--note=Fair']],
  [exitCodes.usage, ['voucher make', '5.00', 'some', '30']],
  [exitCodes.done, ['promo add', 'SUMMER', '20%', '100', '--renewals=2', '--editions=standard']],
  [exitCodes.usage, ['promo add', 'SUMMER', '5.00', '100']],
  [exitCodes.done, ['promo list']],
  [exitCodes.done, ['promo end', 'SUMMER']],
  [exitCodes.notFound, ['promo end', 'WINTER']],
  [exitCodes.done, ['voucher list']],
  [exitCodes.done, ['voucher void', '1']],
  [exitCodes.usage, ['voucher void', 'one']],
  [exitCodes.notFound, ['voucher void', '4711']],
  [exitCodes.failed, ['transfer import', statement, '--dryRun']],
  [exitCodes.failed, ['transfer import', statement]],
  [exitCodes.done, ['transfer import', statement]],
  [exitCodes.done, ['transfer reread']],
  [exitCodes.usage, ['transfer import', other]],
  [exitCodes.notFound, ['transfer import', other, '--profile=None']],
  [exitCodes.done, ['transfer list']],
  [exitCodes.done, ['transfer reject', transfer.reference, '--reason=No money came']],
  [exitCodes.refused, ['transfer reject', transfer.reference, '--reason=Again']],
  [exitCodes.usage, ['transfer reject', another.reference]],
  [exitCodes.done, ['transfer confirm', transfer.reference]],
  [exitCodes.refused, ['transfer confirm', transfer.reference]],
  [exitCodes.notFound, ['transfer confirm', 'HD-AAAA-0000']],
  [exitCodes.done, ['invoice export', exported, '--from=2026-01-01', '--to=2026-01-31']],
  [exitCodes.usage, ['invoice export', exported, '--from=2026-01-01', '--to=2026-01-31']],
  [exitCodes.usage, ['invoice export', exported, '--from=2026-01-02', '--to=2026-01-31', '--format=datev']],
  [exitCodes.usage, ['invoice export', exported, '--from=2026-01-01', '--to=2026-01-31', '--format=doc']],
  [exitCodes.usage, ['invoice export', exported, '--from=tomorrow', '--to=2026-01-31']],
  [exitCodes.usage, ['invoice reissue', sold.invoice.number]],
  [exitCodes.usage, ['invoice reissue', sold.invoice.number, '--reason=x', '--vatId=DE1']],
  [exitCodes.usage, ['invoice reissue', sold.invoice.number, '--reason=x', '--vat=off']],
  [exitCodes.done, ['invoice reissue', sold.invoice.number, '--dryRun', '--city=Bremen']],
  [exitCodes.refused, ['invoice reissue', sold.invoice.number, '--reason=x', '--company=Berg KG', '--zip=']],
  [exitCodes.done, ['invoice reissue', sold.invoice.number, '--reason=Wrong name', '--name=Mara Berg']],
  [exitCodes.refused, ['invoice reissue', sold.invoice.number, '--reason=Again']],
  [exitCodes.notFound, ['invoice reissue', 'HD-2026-999999', '--reason=x']],
  [exitCodes.usage, ['refund', customer.email, spending]],
  [exitCodes.usage, ['refund', customer.email, spending, '--reason=x', '--amount=much']],
  [exitCodes.notFound, ['refund', customer.email, 'nothing', '--reason=x']],
  [exitCodes.notFound, ['refund', customer.email, randomUUID(), '--reason=x']],
  [exitCodes.notFound, ['refund', 'nobody@example.org', spending, '--reason=x']],
  [exitCodes.refused, ['refund', customer.email, spending, '--reason=x', '--amount=9999']],
  [exitCodes.usage, ['refund', customer.email, spending, '--reason=x', '--months=13']],
  [exitCodes.usage, ['refund', customer.email, spending, '--reason=x', '--months=1', '--amount=1']],
  [exitCodes.refused, ['refund', customer.email, spending, '--reason=x', '--months=2']],
  [exitCodes.done, ['refund', customer.email, spending, '--reason=It did not start', '--amount=1.50']],
  // With its key, a refund can be repeated, though the amount could not be refunded a second time; another amount is refused.
  [exitCodes.done, [...refundOnce, '--amount=4.00']],
  [exitCodes.done, [...refundOnce, '--amount=4.00']],
  [exitCodes.refused, [...refundOnce, '--amount=1.00']],
  [exitCodes.usage, ['refund', customer.email, spending, '--reason=x', '--idempotencyKey=']],
  [exitCodes.usage, ['charge-back', customer.email, transfer.id]],
  [exitCodes.notFound, ['charge-back', customer.email, 'A'.repeat(22), '--reason=x']],
  [exitCodes.done, ['charge-back', customer.email, transfer.id, '--reason=The bank took it back']],
  [exitCodes.refused, ['charge-back', customer.email, transfer.id, '--reason=Again']],
  [exitCodes.refused, ['vat check', customer.email]],
  [exitCodes.notFound, ['vat check', 'nobody@example.org']],
  [exitCodes.failed, ['vat check', austrian.email]],
  [exitCodes.done, ['audit tail', '--act=books.exported']],
  [exitCodes.usage, ['audit tail', '--customer=somebody']],
  [exitCodes.done, ['announcement write', letter]],
  [exitCodes.usage, ['announcement write', edition]],
  [exitCodes.done, ['announcement news-readers', path.join(folder, 'readers.csv'), '--language=de']],
  [exitCodes.usage, ['announcement news-readers', path.join(folder, 'none.csv'), '--language=fr']],
  [exitCodes.done, ['announcement list']],
  [exitCodes.notFound, ['announcement publish', '00000000-0000-4000-8000-000000000000']],
  [exitCodes.done, ['hold begin', '2024-01-01', '2024-12-31', '--reason=Audit']],
  [exitCodes.usage, ['hold begin', '2024-01-01', '2024-12-31']],
  [exitCodes.usage, ['hold begin', '2024-02-30', '2024-12-31', '--reason=Audit']],
  [exitCodes.usage, ['hold begin', '2024-12-31', '2024-01-01', '--reason=Audit']],
  [exitCodes.done, ['hold list']],
  [exitCodes.done, ['hold end', '1']],
  [exitCodes.notFound, ['hold end', '1']],
  [exitCodes.notFound, ['hold end', 'all']],
  [exitCodes.done, ['rates import', rates]],
  [exitCodes.usage, ['rates import', other]],
  [exitCodes.notFound, ['rates import', missing]],
  [exitCodes.done, ['jobs failed']],
  [exitCodes.notFound, ['jobs retry', '4711']],
  [exitCodes.done, ['mails dead']],
  [exitCodes.notFound, ['mails retry', '00000000-0000-4000-8000-000000000000']],
  [exitCodes.done, ['plan list']],
  [exitCodes.done, ['plan add', 'extra-month', ...plan]],
  [exitCodes.refused, ['plan add', 'extra-month', ...plan]],
  [exitCodes.usage, ['plan add', 'Extra Month', ...plan]],
  [exitCodes.usage, ['plan add', 'extra-week', 'P1W', ...plan.slice(1)]],
  [exitCodes.done, ['plan edit', 'extra-month', ...plan.slice(1)]],
  [exitCodes.done, ['plan edit', 'extra-month', ...plan.slice(1), '--from=2126-12-01']],
  [exitCodes.usage, ['plan edit', 'extra-month', ...plan.slice(1), '--from=2006-12-01']],
  [exitCodes.notFound, ['plan edit', 'nothing', ...plan.slice(1)]],
  [exitCodes.done, ['plan move', 'extra-month', '--before=standard-month']],
  [exitCodes.done, ['plan move', 'extra-month']],
  [exitCodes.usage, ['plan move', 'extra-month', '--before=extra-month']],
  [exitCodes.notFound, ['plan move', 'extra-month', '--before=nothing']],
  [exitCodes.notFound, ['plan move', 'nothing']],
  [exitCodes.refused, ['plan replace', 'extra-month', 'standard-month']],
  [exitCodes.done, ['plan retire', 'extra-month']],
  [exitCodes.done, ['plan replace', 'extra-month', 'standard-month', '--dryRun']],
  [exitCodes.done, ['plan replace', 'extra-month', 'standard-month']],
  [exitCodes.refused, ['plan replace', 'extra-month', 'standard-month']],
  [exitCodes.usage, ['plan replace', 'extra-month', 'standard-quarter']],
  [exitCodes.notFound, ['plan replace', 'nothing', 'standard-month']],
  [exitCodes.done, ['plan keep', 'extra-month']],
  [exitCodes.notFound, ['plan keep', 'extra-month']],
  [exitCodes.notFound, ['plan retire', 'nothing']],
  [exitCodes.done, ['plan offer', 'extra-month']],
  [exitCodes.notFound, ['plan offer', 'nothing']],
  // The price rise would count for renewals a day after it counts for orders.
  [
    exitCodes.refused,
    ['plan price', 'extra-month', '99.90', '--from=2126-12-02', '--renewalsFrom=2126-12-03'],
  ],
  [exitCodes.done, ['plan price', 'extra-month', '99.90', '--from=2126-12-02', '--renewalsFrom=2127-02-01']],
  [exitCodes.notFound, ['plan price', 'nothing', '99.90']],
  [exitCodes.done, ['product list']],
  [exitCodes.done, ['product add', 'backup', product]],
  [exitCodes.refused, ['product add', 'backup', product]],
  [exitCodes.usage, ['product add', 'No Slug', product]],
  [exitCodes.usage, ['product add', 'more', other]],
  [exitCodes.done, ['product edit', 'backup', productChange]],
  [exitCodes.usage, ['product edit', 'backup', product]],
  [exitCodes.notFound, ['product edit', 'nothing', productChange]],
  [exitCodes.done, ['product retire', 'backup']],
  [exitCodes.notFound, ['product retire', 'nothing']],
  [exitCodes.notFound, ['edition add', 'more', editionOfNone]],
  [exitCodes.done, ['edition list']],
  [exitCodes.done, ['edition add', 'agency', edition]],
  [exitCodes.refused, ['edition add', 'agency', edition]],
  [exitCodes.usage, ['edition add', 'No Slug', edition]],
  [exitCodes.usage, ['edition add', 'more', other]],
  [exitCodes.done, ['edition edit', 'agency', edition]],
  [exitCodes.usage, ['edition edit', 'agency', path.join(folder, 'nothing')]],
  [exitCodes.done, ['extra add', 'storage', extra]],
  [exitCodes.refused, ['extra add', 'storage', extra]],
  [exitCodes.refused, ['extra add', 'other', extraOfNone]],
  [exitCodes.usage, ['extra add', 'No Slug', extra]],
  [exitCodes.usage, ['extra add', 'other', edition]],
  [exitCodes.done, ['extra list']],
  [exitCodes.done, ['extra edit', 'storage', extraChange]],
  [exitCodes.notFound, ['extra edit', 'nothing', extraChange]],
  [exitCodes.done, ['extra retire', 'storage']],
  [exitCodes.notFound, ['extra retire', 'nothing']],
  [exitCodes.notFound, ['edition edit', 'nothing', edition]],
  [exitCodes.done, ['ticket assign', String(ticket.number), member.user_id, '--note=Calls at nine']],
  [exitCodes.refused, ['ticket assign', String(ticket.number), customer.email]],
  [exitCodes.notFound, ['ticket assign', String(ticket.number), 'nobody@example.com']],
  [exitCodes.usage, ['ticket assign', 'my ticket', member.user_id]],
  [exitCodes.done, ['ticket spam', String(ticket.number)]],
  [exitCodes.refused, ['ticket assign', String(ticket.number), member.user_id]],
  [exitCodes.done, ['ticket spam', String(ticket.number), '--undo']],
  [exitCodes.notFound, ['ticket spam', '999999']],
  [exitCodes.notFound, ['auto-top-up show', 'nobody@example.com']],
  [exitCodes.notFound, ['auto-top-up pause', 'nobody@example.com', '--reason=x']],
  [exitCodes.notFound, ['token list', 'nobody@example.com']],
  [exitCodes.notFound, ['token end', '1']],
  [exitCodes.done, ['robot create', 'Triage', '--role=support,billing']],
  [exitCodes.usage, ['robot create', 'Triage', '--role=owner']],
  [exitCodes.done, ['robot list']],
  [exitCodes.notFound, ['robot token', '1']],
  [exitCodes.notFound, ['robot end', '1']],
  [exitCodes.done, ['ledger check']],
  [exitCodes.done, ['host list', '--state=ends_soon', '--country=DE']],
  [exitCodes.done, ['host list', '--state=alert']],
  [exitCodes.usage, ['host list', '--state=broken']],
  [exitCodes.done, ['host transfer', sold.host.id, 'next@example.com']],
  [exitCodes.refused, ['host transfer', sold.host.id, 'next@example.com']],
  [exitCodes.usage, ['host transfer', sold.host.id, 'next']],
  [exitCodes.done, ['host suspend', sold.host.id, '--cause=abuse', '--message=Spam']],
  [exitCodes.refused, ['host suspend', sold.host.id]],
  [exitCodes.usage, ['host suspend', sold.host.id, '--cause=spam']],
  [exitCodes.notFound, ['host suspend', 'nothing']],
  [exitCodes.done, ['host resume', sold.host.id]],
  [exitCodes.refused, ['host resume', sold.host.id]],
  [exitCodes.done, ['host address', sold.host.id, '--ipv4=203.0.113.90', '--ipv6=2001:db8::90']],
  [exitCodes.refused, ['host address', sold.host.id, '--ipv4=none', '--ipv6=none']],
  [exitCodes.usage, ['host address', sold.host.id, '--ipv4=300.1.1.1']],
  [exitCodes.done, ['host allow', sold.host.id]],
  [exitCodes.done, ['customer storage', customer.user_id, '500']],
  [exitCodes.notFound, ['customer storage', randomUUID(), '500']],
  [exitCodes.usage, ['customer storage', customer.user_id, 'much']],
  [exitCodes.notFound, ['customer storage', 'nobody@example.com', '500']],
  [exitCodes.notFound, ['host allow', 'nothing']],
  [exitCodes.done, ['licence revocations']],
  [exitCodes.done, ['licence rotate-key']],
  [exitCodes.notFound, ['licence withdraw-key', 'nothing']],
  [exitCodes.done, ['invoice list', '--kind=invoice']],
  [exitCodes.usage, ['invoice list', '--from=yesterday']],
  [exitCodes.notFound, ['invoice redraw', 'HD-1999-000001']],
  [exitCodes.refused, ['demo remove']],
  [exitCodes.refused, ['backup', missing, '--with-keys']],
  [exitCodes.notFound, ['backup verify', missing]],
  [exitCodes.failed, ['backup verify', other]],
  [exitCodes.refused, ['restore', other]],
  [exitCodes.refused, ['database upgrade', folder]],
])('%i: %j', async (code, words) => {
  expect(await codeOf(words.flatMap((word, place) => (place === 0 ? word.split(' ') : word)))).toBe(code)
})

it.each([
  ['plan', 'list'],
  ['ledger', 'check'],
  ['create-staff', 'boss@operator.example'],
  ['restore', other],
])('75 where the database is down: %s %s', async (...words) => {
  expect(await codeOf(words, { ...here, ownerUrl: down })).toBe(exitCodes.tryLater)
})

it('75 for an error that asks to try again later, 1 for an unexpected error', () => {
  expect(exitCodeOf(new TryLater(['Gave up.']))).toBe(exitCodes.tryLater)
  expect(exitCodeOf(new Error('something'))).toBe(exitCodes.failed)
})

it('B-03 `plan move` puts a plan before another one, or last, as customers see them, and says so in the audit', async () => {
  const slugs = async () => (await allPlans(app.db)).map(({ slug }) => slug)
  const before = await slugs()
  const [first = '', second = ''] = before
  const move = (...words: string[]) => codeOf(['plan', 'move', ...words])
  expect(await move(second, `--before=${first}`)).toBe(exitCodes.done)
  expect(await slugs()).toEqual([second, first, ...before.slice(2)])
  expect(await move(second)).toBe(exitCodes.done)
  expect(await slugs()).toEqual([first, ...before.slice(2), second])
  const audited = await asOwner(
    test,
    "select detail from audit where act = 'plan.ordered' order by id desc limit 1",
  )
  expect(audited).toMatchObject([{ detail: { by: 'command line', order: (await slugs()).join(' ') } }])
})

// docs/operate/upgrade.md: the books are checked by the release that wrote them, before the next one migrates. A start checks none, because
// it would keep all customers out; what was damaged before is found after it, too.
it('rule 34: `ledger check` finds damaged books before a migration and after it, and is refused to the release that has yet to migrate', async () => {
  const superuser = await superuserOf(test)
  await superuser.query('set session_replication_role = replica')
  const booked = (more: string) =>
    superuser.query(`update entries set amount = amount ${more} where transaction_id = $1 and of_customer`, [
      spending,
    ])
  const check = async () => must(commands['ledger check']).run(here, [], {})
  await booked('- 1')
  expect(await codeOf(['ledger', 'check'])).toBe(exitCodes.failed)
  expect(await check()).toMatchObject({
    failed: true,
    lines: expect.arrayContaining([expect.stringContaining(`${spending} breaks: every`)]) as string[],
  })
  // The books of a release that has yet to migrate are those of the release before: what this one makes of them is no finding.
  const { rows } = await superuser.query<{ name: string; hash: string }>(
    "delete from migrations where name = (select max(name) from migrations where name <> 'baseline') returning name, hash",
  )
  expect(await codeOf(['ledger', 'check'])).toBe(exitCodes.refused)
  await expect(check()).rejects.toThrow(/^1 migrations .* Check them by the release that wrote them/)
  const last = must(rows[0])
  await superuser.query('insert into migrations values ($1, $2)', [last.name, last.hash])
  // No start of this release takes a database of another commit, so "start this one first" would be wrong.
  await superuser.query("insert into migrations values ('0002_gone.sql', 'x')")
  expect(await codeOf(['ledger', 'check'])).toBe(exitCodes.refused)
  await expect(check()).rejects.toThrow(/^The database was made by another commit/)
  await superuser.query("delete from migrations where name = '0002_gone.sql'")
  await migrate(app.ownerUrl)
  expect(await codeOf(['ledger', 'check'])).toBe(exitCodes.failed)
  await booked('+ 1')
  expect(await codeOf(['ledger', 'check'])).toBe(exitCodes.done)
  await superuser.end()
})
