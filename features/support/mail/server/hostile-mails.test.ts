import { describe, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { insertAddress } from '#features/profile/server/profile.ts'
import { must } from '#foundation/must.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { asOwner } from '#tests/harness/hosts.ts'
import {
  carriedIn,
  comes,
  deliveryReport,
  rawMail,
  mailInSettings,
  ticketIdOf,
} from '#tests/harness/mail-in.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'

const test = await startTestApp({ settings: mailInSettings })
const [anna, boris, olivia] = [
  await signedInCustomer(test, { email: 'anna@example.com' }),
  await signedInCustomer(test, { email: 'boris@example.com' }),
  await signedInStaff(test, { email: 'olivia@example.com' }),
]
const second = { user_id: anna.user_id, email: 'claimed@example.com', is_primary: false, verified: false }
await transaction(test.app, 'system', (tx) => insertAddress(tx, second))
const [hers, his] = [await opened(anna), await opened(boris)]
const { to, returns = '' } = await carriedIn(test, hers.id, anna.user_id)
const { to: toBoris } = await carriedIn(test, his.id, boris.user_id)
const old = await opened(anna)
const { to: toOld } = await carriedIn(test, old.id, anna.user_id)
await asOwner(
  test,
  `update reply_addresses set carried_at = now() - interval '91 days' where ticket_id = $1`,
  [String(await ticketIdOf(test, old.id))],
)

const changed = (address: string, at: number, by: string) => address.slice(0, at) + by + address.slice(at + 1)
const otherLetter = (sign: string | undefined) => (sign === '7' ? '8' : '7')
const mark = to.indexOf('+t1-') + 4
/** The id of one ticket with the proof of another. */
const crossed = to.slice(0, mark + 8) + toBoris.slice(mark + 8)
const parts = (count: number) =>
  Array.from({ length: count }, () => '--x\r\nContent-Type: text/plain\r\n\r\na').join('\r\n')
const nested = (depth: number) =>
  Array.from(
    { length: depth },
    (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`,
  ).join('')
type Hostile = [name: string, mail: Buffer, fate: string, recipient?: string]

const mails: Hostile[] = [
  [
    'a stranger with the right number in the subject',
    rawMail({ from: 'eve@example.org', subject: `Re: #${hers.number}` }),
    'held:stranger',
  ],
  [
    'a stranger with the Message-ID of our mail as In-Reply-To',
    rawMail({ from: 'eve@example.org', more: [`In-Reply-To: <ticket-${hers.id}@localhost>`] }),
    'held:stranger',
  ],
  [
    'a guessed id with no proof',
    rawMail({ to: `support+t1-00000001@in.example.com` }),
    'held:unknown_address',
  ],
  [
    'a guessed id with a proof of zeros',
    rawMail({ to: `support+t1-00000001${'0'.repeat(26)}@in.example.com` }),
    'held:unknown_address',
  ],
  [
    'an address with one letter of its proof changed',
    rawMail({ to: changed(to, mark + 20, otherLetter(to[mark + 20])) }),
    'held:unknown_address',
  ],
  [
    'an address with one letter of its id changed',
    rawMail({ to: changed(to, mark + 7, otherLetter(to[mark + 7])) }),
    'held:unknown_address',
  ],
  ['the id of one ticket with the proof of another', rawMail({ to: crossed }), 'held:unknown_address'],
  ['an address that was cut off', rawMail({ to: to.replace(/.@/u, '@') }), 'held:unknown_address'],
  ['an address with a letter too many', rawMail({ to: to.replace('@', '0@') }), 'held:unknown_address'],
  [
    'an address of another domain',
    rawMail({ from: 'eve@example.org', to: to.replace('in.example.com', 'in.example.org') }),
    'held:stranger',
  ],
  ['an address whose time is over', rawMail({ to: toOld }), 'held:unknown_address'],
  ['the address of another customer’s ticket', rawMail({ to: toBoris }), 'held:third_person'],
  [
    'a third person to whom the mail was forwarded',
    rawMail({ from: 'carl@example.org', to }),
    'held:third_person',
  ],
  [
    'an address that the customer names and has not proven',
    rawMail({ from: second.email, to }),
    'held:third_person',
  ],
  [
    'a member of staff who answers a customer’s mail',
    rawMail({ from: olivia.email, to }),
    'held:third_person',
  ],
  ['a member of staff who writes to the support', rawMail({ from: olivia.email }), 'held:staff'],
  ['two From headers, the customer first', rawMail({ to, more: ['From: eve@example.org'] }), 'held:odd_from'],
  ['two senders in one From', rawMail({ from: 'anna@example.com, eve@example.org', to }), 'held:odd_from'],
  ['a sender in group syntax', rawMail({ from: 'Friends: anna@example.com;', to }), 'held:odd_from'],
  ['no sender', rawMail({ from: '', to }), 'held:odd_from'],
  [
    'the customer’s address as the name of another',
    rawMail({ from: '"anna@example.com" <eve@example.org>', to }),
    'held:third_person',
  ],
  [
    'the customer’s address unquoted before another',
    rawMail({ from: 'anna@example.com <eve@example.org>', to }),
    'held:odd_from',
  ],
  [
    'the customer’s address in full-width letters',
    rawMail({ from: '<ａnna@example.com>', to }),
    'held:odd_from',
  ],
  [
    'a bare carriage return in From',
    rawMail({ from: 'eve@example.org\rX: <anna@example.com>', to }),
    'held:odd_from',
  ],
  [
    'a sender that the own server calls forged',
    rawMail({ to, more: ['Authentication-Results: mx.example.com; spf=pass; dmarc=fail'] }),
    'held:forged',
  ],
  [
    'a new question that the own server calls forged',
    rawMail({ more: ['Authentication-Results: mx.example.com;\r\n dmarc=fail header.from=example.com'] }),
    'held:forged',
  ],
  [
    'the addresses of two tickets at once',
    rawMail({ from: boris.email, to: `${to}, ${toBoris}` }),
    'held:several_addresses',
  ],
  [
    'our own mail returned',
    rawMail({ to, more: ['Message-ID: <0b0e0d3c-6c0a-4a4e-9e0e-3a1b2c3d4e5f@localhost>'] }),
    'dropped:own_mail',
  ],
  [
    'a mail in the name of the support itself',
    rawMail({ from: 'support@in.example.com', to }),
    'dropped:own_mail',
  ],
  [
    'an out-of-office',
    rawMail({ to, more: ['Auto-Submitted: auto-replied'], subject: 'Out of office' }),
    'dropped:auto_submitted',
  ],
  [
    'another desk that answers by itself',
    rawMail({ from: 'desk@example.org', to, more: ['Auto-Submitted: auto-generated'] }),
    'dropped:auto_submitted',
  ],
  [
    'another desk that says Precedence: bulk',
    rawMail({ from: 'desk@example.org', more: ['Precedence: bulk'] }),
    'dropped:bulk',
  ],
  ['a mailing list', rawMail({ to, more: ['List-Id: <news.example.org>'] }), 'dropped:list'],
  ['a mail without a return path', rawMail({ to, more: ['Return-Path: <>'] }), 'dropped:null_sender'],
  [
    'a mail without a sender of the envelope, from the pipe of Postfix',
    rawMail({ to, more: ['Return-Path: <MAILER-DAEMON>'] }),
    'dropped:null_sender',
  ],
  [
    'a mail that went around in a circle',
    rawMail({ to, more: Array.from({ length: 31 }, (_, at) => `Received: from a by b; ${at}`) }),
    'dropped:loop',
  ],
  [
    'a report to an address for answers',
    rawMail({
      from: 'mailer-daemon@example.org',
      to,
      type: 'multipart/report; report-type=delivery-status; boundary=r',
      text: deliveryReport('5.1.1', { said: 'smtp; 550 no such mailbox' }),
    }),
    'dropped:returned',
  ],
  ['an answer to an address for what comes back', rawMail({ to: returns }), 'dropped:returned'],
  [
    'ten thousand parts',
    rawMail({ to, type: 'multipart/mixed; boundary=x', text: `${parts(10_000)}\r\n--x--` }),
    '',
  ],
  [
    'parts within parts, 300 deep',
    rawMail({ to, type: 'multipart/mixed; boundary=y', text: `--y\r\n${nested(300)}\r\na` }),
    'held:unreadable',
  ],
  ['no mail at all', Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 131) % 256)), 'held:odd_from'],
  ['only line ends', Buffer.from('\r\n\r\n\r\n'), 'held:odd_from'],
  ['nothing to read', rawMail({ to, text: '  \r\n\r\n' }), 'held:no_text'],
  [
    'eleven files',
    rawMail({
      to,
      type: 'multipart/mixed; boundary=x',
      text: `${Array.from({ length: 11 }, (_, at) => `--x\r\nContent-Disposition: attachment; filename=${at}.txt\r\n\r\na`).join('\r\n')}\r\n--x--`,
    }),
    'held:files',
  ],
  [
    'the envelope to nobody, with a good address in To',
    rawMail({ to }),
    'held:unknown_address',
    'support+t1-x@in.example.com',
  ],
]

describe('K-05 mails that mean harm', () => {
  const said = async () =>
    (await asOwner(
      test,
      'select ticket_id, count(*)::int as count from ticket_messages group by 1 order by 1',
    )) as object[]
  const sent = async () =>
    (await asOwner(
      test,
      `select to_address from mails where created_at > now() - interval '1 hour'`,
    )) as object[]

  it.each(mails)('%s', async (_name, mail, fate, recipient) => {
    const [before, mailed] = [await said(), await sent()]
    const { state, reason } = await comes(test, mail, recipient)
    if (fate !== '') {
      expect(`${state}:${reason ?? ''}`).toBe(fate)
      expect(await said()).toEqual(before)
    }
    // Ten thousand parts are read in time or not: then they are held.
    else
      expect(['posted', 'held:unreadable', 'held:files']).toContain(
        state === 'posted' ? state : `${state}:${reason ?? ''}`,
      )
    expect(await sent()).toEqual(mailed)
  })
  it('a report that names a bad mailbox suspends the address; more of them do no more', async () => {
    const mail = (at: number) =>
      rawMail({
        from: 'mailer-daemon@example.org',
        to: returns,
        more: [`X-Id: ${at}`],
        subject: `Undelivered ${at}`,
        type: 'multipart/report; report-type=delivery-status; boundary=r',
        text: deliveryReport('5.1.1', { said: 'smtp; 550 no such mailbox' }),
      })
    for (let at = 0; at < 4; at += 1)
      expect(await comes(test, mail(at))).toMatchObject({ state: 'dropped', reason: 'returned' })
    expect(await sent()).toEqual([])
  })
})

describe('what may look odd and is none', () => {
  const last = async () => {
    const rows = (await asOwner(
      test,
      `select text, attachments, by_mail from ticket_messages where ticket_id = $1 order by seq desc limit 1`,
      [String(await ticketIdOf(test, hers.id))],
    )) as { text: string; attachments: { name: string; type: string }[]; by_mail: boolean }[]
    return must(rows[0])
  }
  const withFile = (name: string, bytes: string, type = 'application/octet-stream') =>
    rawMail({
      to,
      type: 'multipart/mixed; boundary=x',
      text: `--x\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n--x\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(bytes).toString('base64')}\r\n--x--`,
    })

  it('a name that turns the direction of writing loses the turn', async () => {
    expect(await comes(test, withFile('invoice\u202Efdp.exe', 'MZ'))).toMatchObject({ state: 'posted' })
    expect((await last()).attachments).toMatchObject([{ name: 'invoicefdp.exe' }])
  })
  it('winmail.dat stays a file, and a zip bomb is never unpacked', async () => {
    expect(await comes(test, withFile('winmail.dat', 'x\u009f>"', 'application/ms-tnef'))).toMatchObject({
      state: 'posted',
    })
    expect((await last()).attachments).toMatchObject([{ name: 'winmail.dat' }])
    expect(await comes(test, withFile('bomb.zip', `PK\u0003\u0004${'0'.repeat(200_000)}`))).toMatchObject({
      state: 'posted',
    })
    expect((await last()).attachments).toMatchObject([{ name: 'bomb.zip' }])
  })
  it('UTF-7 stays the letters that it is written in', async () => {
    const text = '+ADw-script+AD4-alert(1)+ADw-/script+AD4-'
    expect(await comes(test, rawMail({ to, type: 'text/plain; charset=utf-7', text }))).toMatchObject({
      state: 'posted',
    })
    expect((await last()).text).not.toContain('<script>')
  })
  it('smuggled line ends make no second mail, and NUL no error', async () => {
    const text = 'One.\r\n.\rMAIL FROM:<eve@example.org>\n.\nFrom: eve@example.org\r\n\u0000Two.'
    expect(await comes(test, rawMail({ to, text }))).toMatchObject({ state: 'posted' })
    expect(await last()).toMatchObject({ by_mail: true, text: expect.stringContaining('One.') as string })
  })
  it('a mail that comes twice, also on another way and with other traces, is one', async () => {
    const mail = rawMail({ to, text: 'Only once.' })
    const { id } = await comes(test, mail)
    const again = Buffer.concat([
      Buffer.from('Received: from a by b\r\nDelivered-To: x@example.com\r\n'),
      mail,
    ])
    expect(await comes(test, Buffer.from(again.toString().replaceAll('\r\n', '\n')))).toMatchObject({
      id,
      state: 'posted',
    })
    const rows = await asOwner(test, `select from ticket_messages where text = 'Only once.'`)
    expect(rows).toHaveLength(1)
  })
  it('the end of addresses: another primary address, and the end of the account', async () => {
    const ticket = await opened(boris)
    const answers = await carriedIn(test, ticket.id, boris.user_id)
    const from = boris.email
    expect(await comes(test, rawMail({ from, to: answers.to }))).toMatchObject({ state: 'posted' })
    await asOwner(test, 'update reply_addresses set ended_at = now() where user_id = $1', [boris.user_id])
    expect(await comes(test, rawMail({ from, to: answers.to }))).toMatchObject({
      state: 'held',
      reason: 'unknown_address',
    })
    const next = await carriedIn(test, ticket.id, boris.user_id)
    expect(next.to).not.toBe(answers.to)
  })
  it('a new question from a proven customer opens a ticket; above the limit of an hour it is held', async () => {
    const clara = await signedInCustomer(test, { email: 'clara@example.com' })
    const ask = (at: number) =>
      comes(test, rawMail({ from: `Clara <${clara.email}>`, subject: `Question ${at}`, text: 'How?' }))
    expect(await ask(1)).toMatchObject({ state: 'posted' })
    await asOwner(
      test,
      `insert into received_mails (digest, way, state, decided_at, from_address)
      select sha256(n::text::bytea), 'pipe', 'posted', now(), $1 from generate_series(1, 29) n`,
      [clara.email],
    )
    expect(await ask(30)).toMatchObject({ state: 'held', reason: 'too_many' })
  })
})
