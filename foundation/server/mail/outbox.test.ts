import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import pg from 'pg'
import { startWorker } from '#app/server/worker.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { must } from '#foundation/must.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { deadMails } from './dead-mails.ts'
import { mailTemplate } from './mail-template.ts'
import { enqueueMail, openContent } from './outbox.ts'
import { leaseMail, overdueMails } from './queries.ts'
import { send } from './transport.ts'

const { app, mails, logged, startWorker: startFirstWorker } = await startTestApp()
const note = mailTemplate('test_note', 'rest', [{ word: '' }], ({ word }: { word: string }, { link }) => ({
  subject: `A note: ${word}`,
  paragraphs: ['Hello <there>', word],
  action: { label: 'View server', url: link('/', { key: word }) },
}))
const alarm = mailTemplate('test_alarm', 'security', [{ word: '' }], ({ word }: { word: string }) => ({
  subject: 'An alarm',
  paragraphs: [word],
}))
const oweNote = (to: string, word = 'kiwi', template = note) =>
  transaction(app, 'system', (tx) =>
    enqueueMail(app, tx, { user_id: null, to, locale: 'en', template, values: { word } }),
  )
const rowOf = (id: string) =>
  app.db.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

async function asOwner(statement: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  try {
    return await owner.query(statement, values)
  } finally {
    await owner.end()
  }
}
const plain = { id: 'x', created_at: new Date(), subject: 's', text: 't', html: 'h', attachments: [] }
const jobCount = async () => (await asOwner(`select from jobs where key like 'mail:%'`)).rowCount
const arrived = () => mails.all.map((mail) => mail.to_address).filter((to) => to.startsWith('many-'))
/** Tells the workers of due jobs, which they would find by themselves two seconds later at most. */
const wakeWorkers = () => asOwner(`select pg_notify('jobs', '')`)
async function sweepNow(): Promise<void> {
  await asOwner(`update jobs set run_at = now() where key = 'every:sweep_mails'`)
  await wakeWorkers()
}
/** Ends the pause before the next try, by the clock of the database. */
async function endPauses(): Promise<void> {
  await app.db
    .updateTable('mails')
    .set({ next_at: new Date(0) })
    .where('state', '=', 'owed')
    .execute()
  await asOwner('update jobs set run_at = now() where taken_at is null')
  await wakeWorkers()
}

it('rule 30: a rollback queues no mail', async () => {
  const before = await jobCount()
  const values = {
    user_id: null,
    to: 'never@example.com',
    locale: 'en',
    template: note,
    values: { word: 'x' },
  } as const
  const act = transaction(app, 'system', async (tx) => {
    await enqueueMail(app, tx, values)
    throw new Error('the act failed')
  })
  await expect(act).rejects.toThrow('the act failed')
  expect(
    await app.db.selectFrom('mails').select('id').where('to_address', '=', 'never@example.com').execute(),
  ).toEqual([])
  expect(await jobCount()).toBe(before)
})

it('rule 15, 30: mail text, its keys too, is not in a dump of the database; of security it is erased once it is sent', async () => {
  const id = await oweNote('sealed@example.com', 'planted-secret-key', alarm)
  const dump = await asOwner('select m::text as line from mails m union all select j::text from jobs j')
  const contentOf = async (of: string) => openContent(app, of, must((await rowOf(of)).content))
  expect(JSON.stringify(dump.rows)).toContain(id)
  expect(JSON.stringify(dump.rows)).not.toContain('planted-secret-key')
  const mail = await mails.next('sealed@example.com')
  expect(mail.text).toContain('planted-secret-key')
  await expect.poll(async () => (await rowOf(id)).state).toBe('sent')
  expect(await contentOf(id)).toMatchObject({ subject: 'An alarm', text: '', html: '' })
  const kept = await oweNote('kept@example.com', 'planted-word')
  await expect.poll(async () => (await rowOf(kept)).state).toBe('sent')
  expect((await contentOf(kept)).text).toContain('planted-word')
  expect((await rowOf(kept)).content).not.toContain('planted-word')
  expect(JSON.stringify(logged)).not.toContain('planted-secret-key')
})

it('rule 21, 30: Message-ID is the row, links begin with PUBLIC_ORIGIN, no note may answer, mark-up is escaped', async () => {
  const id = await oweNote('one@example.com')
  const mail = await mails.next('one@example.com')
  expect(mail.messageId).toBe(`<${id}@localhost>`)
  expect(mail.text).toContain('http://localhost:3000/account/?key=kiwi')
  expect(mail.html).toContain('Hello &lt;there&gt;')
  expect(mail.html).toContain('lang="en"')
  expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r?$/m)
})

it('is safe from line breaks and second addresses in what a person typed', async () => {
  for (const to of [
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com, b@example.com',
    '<a@example.com>',
    '',
  ]) {
    await expect(oweNote(to)).rejects.toThrow('not one mail address')
  }
  await oweNote('two@example.com', 'one\r\nBcc: b@example.com')
  const mail = await mails.next('two@example.com')
  expect(mail.subject).toBe('A note: one Bcc: b@example.com')
  expect(mail.bcc).toBeUndefined()
})

it('rule 30: two workers together send each of 60 mails exactly once', async () => {
  await startFirstWorker()
  const second = await startWorker(app)
  const wanted = Array.from({ length: 60 }, (_, n) => `many-${n}@example.com`)
  await Promise.all(wanted.map((to) => oweNote(to)))
  await expect.poll(() => arrived().length, { timeout: 15_000 }).toBe(60)
  await sleep(500)
  expect(arrived().toSorted()).toEqual(wanted.toSorted())
  await second.stop()
})

it('rule 30: a mail that one process is sending is taken over by another only once that process is gone', async () => {
  const [first, second] = [randomUUID(), randomUUID()]
  const id = await oweNote('leased@example.com')
  await mails.next('leased@example.com')
  await asOwner('insert into job_processes (id) values ($1)', [first])
  await asOwner(`update mails set state = 'owed', leased_until = null where id = $1`, [id])
  const lease = async (process_id: string) =>
    (await transaction(app, 'system', (tx) => leaseMail(tx, id, process_id, 60)))?.id
  expect(await lease(first)).toBe(id)
  expect(await lease(second)).toBeUndefined()
  await asOwner(`update mails set next_at = now() - interval '2 minutes' where id = $1`, [id])
  const overdue = async () => (await transaction(app, 'system', overdueMails)).map((mail) => mail.id)
  expect(await overdue()).not.toContain(id)
  await asOwner('delete from job_processes where id = $1', [first])
  // The job may have gone with the process, so the sweep finds what was being sent.
  expect(await overdue()).toContain(id)
  expect(await lease(second)).toBe(id)
  await asOwner(`update mails set state = 'sent' where id = $1`, [id])
})

it('rule 30: a mail server that is busy, or is away, gets it later, with the same Message-ID', async () => {
  await startFirstWorker()
  mails.refuseWith(451)
  const id = await oweNote('later@example.com')
  await expect.poll(async () => (await rowOf(id)).attempts).toBe(1)
  await expect.poll(async () => (await rowOf(id)).state).toBe('owed')
  const row = await rowOf(id)
  expect(row.last_error).toContain('451')
  const pause_s = (row.next_at.getTime() - row.created_at.getTime()) / 1000
  expect(pause_s).toBeGreaterThan(20)
  expect(pause_s).toBeLessThan(60)
  mails.refuseWith(undefined)
  await endPauses()
  expect((await mails.next('later@example.com')).messageId).toContain(id)
})

it('rule 30: after eight tries, which take 23 hours, it is given up, recorded in the log and in the audit, and kept', async () => {
  await startFirstWorker()
  mails.refuseWith(451)
  const id = await oweNote('dead@example.com')
  await asOwner(`update mails set created_at = now() - interval '23 hours' where id = $1`, [id])
  for (let attempt = 1; attempt <= 7; attempt += 1) {
    await expect
      .poll(async () => [(await rowOf(id)).attempts, (await rowOf(id)).state], { timeout: 10_000 })
      .toEqual([attempt, 'owed'])
    await endPauses()
  }
  await expect.poll(async () => (await rowOf(id)).state, { timeout: 10_000 }).toBe('dead')
  mails.refuseWith(undefined)
  expect((await rowOf(id)).content).not.toBeNull()
  expect(logged.find((line) => line.mail_id === id && line.level === 'error')).toMatchObject({ attempts: 8 })
  const acts = await app.db.selectFrom('audit').select('detail').where('act', '=', 'mail.dead').execute()
  expect(acts).toMatchObject([{ detail: { mail_id: id, attempts: 8 } }])
}, 120_000)

it('rule 48: mails of security that waited for the mail server go first and at once when it is back, and no mail waits longer than its pause', async () => {
  await startFirstWorker()
  mails.refuseWith(421)
  const waiting = []
  for (const [template, to] of [
    [note, 'waited-rest@example.com'],
    [alarm, 'waited-1@example.com'],
    [alarm, 'waited-2@example.com'],
    [alarm, 'waited-3@example.com'],
  ] as const)
    waiting.push(await oweNote(to, 'late', template))
  for (const id of waiting) await expect.poll(async () => (await rowOf(id)).last_error).toContain('421')
  // An outage of some hours later.
  await asOwner(`update mails set attempts = 5, next_at = now() + interval '1 hour',
    awaits_server_since = now() - interval '1 hour' where state = 'owed'`)
  await asOwner(`update jobs set run_at = now() + interval '1 hour' where key like 'mail:%'`)
  mails.refuseWith(undefined)
  await sweepNow()
  const late = () => mails.all.map((mail) => mail.to_address).filter((to) => to.startsWith('waited-'))
  await expect.poll(() => late().length).toBe(4)
  expect(late().slice(0, 2)).not.toContain('waited-rest@example.com')
  // A refusal of the recipient says nothing about the server, and its pause holds; a clock that ran ahead made a pause too long.
  mails.refuseWith(451, 'recipient')
  const [patient, ahead] = [await oweNote('greylisted@example.com'), await oweNote('ahead@example.com')]
  for (const id of [patient, ahead])
    await expect.poll(async () => (await rowOf(id)).last_error).toContain('451')
  mails.refuseWith(undefined)
  await asOwner(`update mails set next_at = now() + interval '1 year' where id = $1`, [ahead])
  await asOwner(`update jobs set run_at = now() + interval '1 year' where key = $1`, [`mail:${ahead}`])
  await sweepNow()
  expect((await mails.next('ahead@example.com')).messageId).toContain(ahead)
  expect(await rowOf(patient)).toMatchObject({ state: 'owed', attempts: 1 })
  await endPauses()
})

it('rule 34: connections that break do not stop the worker', async () => {
  await startFirstWorker()
  await asOwner(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await expect
    .poll(
      () =>
        oweNote('after@example.com').then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true)
  expect((await mails.next('after@example.com')).subject).toBe('A note: kiwi')
})

// Seen red for 500 and 501, which servers answer to forms of addresses that they do not know: the mail was tried for a day. A server that
// does not announce SMTPUTF8 answers 553 (Postfix), 501 or 500 to letters beyond ASCII before the @.
it.each([
  [550, 'nobody'],
  [501, 'nobody'],
  [553, 'jörg'],
  [500, 'jörg'],
])(
  'rule 30: a recipient that the server refuses for good (%s, %s) is not asked for again, and staff see it',
  async (code, name) => {
    await startFirstWorker()
    mails.refuseWith(code, 'recipient')
    const id = await oweNote(`${name}-${code}@example.com`)
    await expect.poll(async () => (await rowOf(id)).state, { timeout: 20_000 }).toBe('dead')
    mails.refuseWith(undefined)
    expect(await rowOf(id)).toMatchObject({
      attempts: 1,
      last_error: expect.stringContaining(String(code)) as string,
    })
    await expect.poll(jobCount).toBe(0)
    expect((await deadMails(app.db)).map((mail) => mail.id)).toContain(id)
  },
)

// Seen red for the comma: the name was two addresses to the program that wrote the header.
it.each([
  ['Müller, Söhne & "Töchter" GmbH', 'Müller, Söhne & "Töchter" GmbH'],
  ['Хостинг (Москва), ООО', 'Хостинг (Москва), ООО'],
  ['"Miller, Sons"', 'Miller, Sons'],
  [String.raw`"A \"B\" C"`, 'A "B" C'],
  ['a@example.org; b', 'a@example.org; b'],
])('the sender’s name %s arrives as it was set', async (written, name) => {
  await send(
    { ...app.config, mailFrom: `${written} <no-reply@example.com>` },
    { ...plain, to: 'named@example.com' },
  )
  expect((await mails.next('named@example.com')).from).toEqual({ name, address: 'no-reply@example.com' })
})

it('a domain in any script goes to the server as it knows it', async () => {
  await startFirstWorker()
  await oweNote('ann@bücher.example')
  expect((await mails.next('ann@bücher.example')).raw).toContain('To: ann@xn--bcher-kva.example')
})

// Seen red: the address went out as bytes that the server had not offered to take, and the mail counted as sent.
it('rule 30: a mail to letters beyond ASCII before the @ goes where the server takes them, and is given up at once where not', async () => {
  await startFirstWorker()
  await oweNote('почта@пример.рф')
  expect((await mails.next('почта@пример.рф')).subject).toBe('A note: kiwi')
  mails.offerSmtpUtf8(false)
  const id = await oweNote('jürgen@example.com')
  await expect.poll(async () => (await rowOf(id)).state, { timeout: 20_000 }).toBe('dead')
  await oweNote('ann@bücher.example', 'still')
  expect((await mails.next('ann@bücher.example')).subject).toBe('A note: still')
  mails.offerSmtpUtf8(true)
  expect(await rowOf(id)).toMatchObject({
    attempts: 1,
    last_error: expect.stringContaining('SMTPUTF8') as string,
  })
  expect(mails.all.filter(({ to_address }) => to_address.startsWith('jürgen'))).toEqual([])
  const acts = await app.db.selectFrom('audit').select('detail').where('act', '=', 'mail.dead').execute()
  expect(JSON.stringify(acts)).toContain(id)
})

it('rule 30: a refusal of our own sender (550) gives up no mail: it goes out once the settings are right', async () => {
  await startFirstWorker()
  mails.refuseWith(550, 'sender')
  const id = await oweNote('patient@example.com')
  await expect.poll(async () => (await rowOf(id)).last_error, { timeout: 20_000 }).toContain('550')
  mails.refuseWith(undefined)
  expect(await rowOf(id)).toMatchObject({ state: 'owed', attempts: 1 })
  await endPauses()
  expect((await mails.next('patient@example.com')).messageId).toContain(id)
})

it('rule 40: no mail goes to a server that offers no STARTTLS where that is demanded', async () => {
  const mail = { ...plain, to: 'clear@example.com' }
  await expect(send({ ...app.config, demandsStartTls: true }, mail)).rejects.toThrow(/STARTTLS/)
  expect(mails.all.filter(({ to_address }) => to_address === mail.to)).toEqual([])
  await send(app.config, mail)
  expect(mails.all.filter(({ to_address }) => to_address === mail.to)).toHaveLength(1)
})
