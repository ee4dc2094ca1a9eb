import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { assertSellerOfSales } from '#app/server/no-seller.ts'
import { buildApp } from '#app/server/build-app.ts'
import { loadConfig } from '#app/server/config.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import * as contract from '#features/operations/company-contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { render } from '#foundation/server/mail/layout.ts'
import { mailContext, mailKinds } from '#foundation/server/mail/mail-template.ts'
import { serveWhiteLabel } from '#foundation/server/http/white-label.ts'
import {
  followKeptSettings,
  presentVersions,
  takeKeptSettings,
} from '#foundation/server/kept-settings/kept-settings.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf, refusal } from '#tests/harness/hosts.ts'
import { issuedInvoice } from '#tests/harness/invoices.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import * as mails from '#features/operations/mail-contract.ts'
import { licenceEndsSoon } from '#features/sales/server/mails.ts'
import { mailTexts } from '#texts/mail-texts.js'
import { keepSection } from './keep-section.ts'
import { textsOf } from './mail-texts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp({
  settings: {
    COMPANY_NAME: 'Old GmbH',
    COMPANY_STREET: 'Alt 1',
    COMPANY_ZIP: '10115',
  },
})
const { app } = test
const { owner: database } = await ownerOf(test)
const [owner, anna] = [await signedInStaff(test, { roles: ['owner'] }), await signedInCustomer(test)]

type Change = InputOf<typeof contract.changeCompany>['body']
type Bank = InputOf<typeof contract.changeBank>['body']
const change = (body: Change, by: Customer = owner) => by.api.call(contract.changeCompany, { body })
const changeBank = (body: Bank) => owner.api.call(contract.changeBank, { body })
const read = async () => bodyOf(await owner.api.call(contract.readCompany, {}), 200)
const refusedBy = (...given: Parameters<typeof refusal>) => ({ body: refusal(...given) })
const own = { name: 'Example GmbH', street: 'Musterweg 2', vat_id: 'de 123 456 788' }

it('only owners see and change the seller, with a proof not older than 300 s', async () => {
  const admin = await signedInStaff(test, { roles: ['admin', 'billing', 'support'] })
  expect(await admin.api.call(contract.readCompany, {})).toMatchObject(refusedBy(403, 'not_allowed'))
  expect(await change(own, admin)).toMatchObject(refusedBy(403, 'not_allowed'))
  const stale = await signedInStaff(test, { roles: ['owner'], proven_s_ago: 400 })
  expect(await change(own, stale)).toMatchObject(refusedBy(403, 'reauthentication_required'))
  expect(await read()).toMatchObject({ history: [], example: null })
})

it('what is changed wins over the settings at once, in each process, and leaves issued invoices as they are', async () => {
  const before = await issuedInvoice(app, anna.user_id)
  const config = loadConfig({ DATA_DIR: app.config.dataDir, DATABASE_URL: app.ownerUrl, DEMO: 'off' })
  const other = await buildApp(config, { ownerUrl: app.ownerUrl, log: app.log })
  const stop = followKeptSettings(other, 20)
  try {
    const { company } = await read()
    expect(company).toMatchObject({ version: 1, name: 'Old GmbH', city: '', operator_name: 'Hostdesk' })
    expect(await change(own)).toMatchObject(refusedBy(400, 'required', 'city'))
    const saved = bodyOf(await change({ ...own, city: 'Berlin', operator_name: 'Example', version: 1 }), 200)
    expect(saved).toMatchObject({ version: 2, ...own, vat_id: 'DE123456788', city: 'Berlin' })
    await expect.poll(() => other.config.company.name).toBe('Example GmbH')
    expect(other.config.operator.name).toBe('Example')
  } finally {
    stop()
    await other.close()
  }
  const after = await issuedInvoice(app, anna.user_id)
  const sellerOn = async ({ public_id: publicId }: { public_id: string }) =>
    bodyOf(await anna.api.call(getInvoice, { params: { publicId } }), 200).from.name
  expect([await sellerOn(before), await sellerOn(after)]).toEqual(['Old GmbH', 'Example GmbH'])
})

it('rule 45: a stale version changes nothing, and says how it is now', async () => {
  expect(await change({ city: 'Potsdam', version: 1 })).toMatchObject({
    body: { ...refusal(409, 'changed'), present: { version: 2, city: 'Berlin' } },
  })
  expect(await change({ city: 'Potsdam', version: 9 })).toMatchObject(refusedBy(409, 'changed'))
  const eight = await Promise.all(Array.from('ABCDEFGH', (city) => change({ city, version: 2 })))
  expect(eight.filter(({ status }) => status === 200)).toHaveLength(1)
})

it('refuses a seller whose invoices would not be valid', async () => {
  const refused: [Change, string, string][] = [
    [{ city: ' ' }, 'required', 'city'],
    [{ vat_id: '' }, 'required', 'vat_id'],
    [{ vat_id: 'DE12' }, 'invalid_vat_id', 'vat_id'],
    [{ country: 'QQ' }, 'unknown_country', 'country'],
    [{ country: 'US' }, 'seller_not_possible', 'country'],
    [{ zip: '35010', city: 'Las Palmas', country: 'ES' }, 'seller_not_possible', 'zip'],
    [{ imprint_url: 'javascript:1' }, 'invalid', 'imprint_url'],
    [{ support_email: 'nobody' }, 'invalid', 'support_email'],
  ]
  for (const [body, code, param] of refused)
    expect(await change(body)).toMatchObject(refusedBy(400, code, param))
})

it('takes a bank account by its check digits, and shows it to customers', async () => {
  expect(await changeBank({ holder: 'Example', iban: 'DE02 1203 0000 0000 2020 52', bic: '' })).toMatchObject(
    refusedBy(400, 'invalid_iban', 'iban'),
  )
  expect(await changeBank({ holder: 'A, B' })).toMatchObject(refusedBy(400, 'invalid', 'holder'))
  expect(await changeBank({ bic: 'NOBANK' })).toMatchObject(refusedBy(400, 'invalid', 'bic'))
  const account = { holder: 'Example GmbH', iban: 'DE89 3704 0044 0532 0130 00', bic: 'cobadeffxxx' }
  const plain = { holder: 'Example GmbH', iban: 'DE89370400440532013000', bic: 'COBADEFFXXX' }
  expect(bodyOf(await changeBank(account), 200)).toEqual({ version: 2, ...plain })
  expect(app.config.bankAccount).toBe('Example GmbH, DE89370400440532013000, COBADEFFXXX')
})

it('ends each mail by the words in its language, whose placeholders are known, and shows a real mail with them', async () => {
  const send = (body: InputOf<typeof contract.changeWords>['body']) =>
    owner.api.call(contract.changeWords, { body })
  for (const closing_de of ['Ihr {name}', 'Ihr {operator', '{{operator}'])
    expect(await send({ closing_de })).toMatchObject(refusedBy(400, 'unknown_placeholder', 'closing_de'))
  const closing_de = 'Ihr Team von {operator}\n{support_email}'
  expect(bodyOf(await send({ closing_de }), 200)).toMatchObject({ version: 2, closing_de, closing_en: '' })
  expect(await send({ closing_en: 'Bye', version: 1 })).toMatchObject({
    body: { ...refusal(409, 'changed'), present: { closing_de } },
  })
  const said = { subject: 'Hello', paragraphs: ['Text.'] }
  const written = (locale: 'de' | 'en') =>
    render(said, { ...mailContext(app.config, locale, 'UTC'), config: app.config, name: '' })
  expect(written('de').text).toContain('Text.\n\nIhr Team von Example\n\n\n-- ')
  expect(written('de').html).toContain('Ihr Team von Example<br>')
  expect(written('en').text).toContain('Text.\n\n-- ')
  const { mails } = await read()
  expect(mails.ru).toContain('\n\n{words}\n\n-- ')
  const params = { section: 'words' } as const
  expect(
    (await owner.api.call(contract.restoreCompany, { params, body: { version: 2, to: 1 } })).status,
  ).toBe(204)
  expect((await read()).words).toEqual({ version: 3, closing_en: '', closing_de: '', closing_ru: '' })
})

describe('the texts of mails', () => {
  const params = { kind: 'licence_ends_soon', locale: 'de' } as const
  const say = (words: Record<string, string>, given: object = params, version?: number) =>
    owner.api.call(mails.changeMailWords, {
      params: { ...params, ...given },
      body: { words, ...(version !== undefined && { version }) },
    })
  const readMail = async (given: object = params) =>
    bodyOf(await owner.api.call(mails.readMailKind, { params: { ...params, ...given } }), 200)
  const [subject, text] = ['sales_mail_ends_subject', 'sales_mail_ends_text']

  it('offers each subject and each text of all kinds, and no others', async () => {
    const kinds = [...mailKinds.values()].filter(({ kind }) => !kind.startsWith('test_'))
    const { items } = bodyOf(await owner.api.call(mails.listMailKinds, {}), 200)
    expect(items.map(({ kind }) => kind)).toEqual(kinds.map(({ kind }) => kind))
    const offered = kinds.flatMap((kind) => textsOf(app, kind, 'en').map(({ name }) => name.split('.')[0]))
    expect(
      Object.keys(mailTexts).filter((name) => /_(subject|text)$/.test(name) && !offered.includes(name)),
    ).toEqual([])
    expect(offered).not.toContain('mail_ip')
    const ofSecurity = (await readMail({ kind: 'password_was_reset' })).texts
    expect(ofSecurity.map(({ name, required }) => [name, required])).toEqual([
      ['auth_mail_was_reset_subject', []],
      ['auth_mail_was_reset_text', []],
    ])
    const inRussian = (await readMail({ kind: 'debt', locale: 'ru' })).texts.map(({ name }) => name)
    expect(inRussian.filter((name) => name.startsWith('licences_mail_debt_suspends'))).toEqual(
      ['one', 'few', 'many'].map((form) => `licences_mail_debt_suspends.${form}`),
    )
  })

  it('refuses unknown placeholders and texts without what the mail needs, with the field', async () => {
    const needs = '{plan} auf {host} endet am {ends_at}.'
    const refused: [Record<string, string>, string, string][] = [
      [{ [text]: `${needs} {total}` }, 'unknown_placeholder', text],
      [{ [text]: `${needs} {constructor}` }, 'unknown_placeholder', text],
      [{ [text]: `${needs} {` }, 'unknown_placeholder', text],
      [{ [text]: 'Ihre Lizenz endet.' }, 'missing_placeholder', text],
      [{ [subject]: 'x'.repeat(151) }, 'max_length', subject],
      [{ [subject]: 'Hallo\r\nBcc: a@example.com' }, 'unprintable_characters', subject],
      [{ auth_mail_reset_text: 'Hallo' }, 'invalid', 'words'],
    ]
    for (const [words, code, param] of refused)
      expect(await say(words)).toMatchObject(refusedBy(400, code, param))
    expect((await say({ [text]: 'x'.repeat(1001) })).status).toBe(400)
    const invitation = { kind: 'transfer_by_staff' }
    expect(await say({ hosts_mail_by_staff_subject: 'Ein Angebot' }, invitation), 'security').toMatchObject(
      refusedBy(400, 'missing_placeholder', 'hosts_mail_by_staff_subject'),
    )
    expect((await say({}, { kind: 'none_such' })).status).toBe(404)
    const admin = await signedInStaff(test, { roles: ['admin'] })
    const asked = admin.api.call(mails.changeMailWords, { params, body: { words: {} } })
    expect(await asked).toMatchObject(refusedBy(403, 'not_allowed'))
  })

  it('writes mails of this kind and language by them, as text alone, with links of the owner and no others', async () => {
    const words = {
      [subject]: 'Bald ist Schluss bei {operator}',
      [text]:
        '<b>{host}</b> mit {plan} bis {ends_at}: https://status.example.com/{host}\nhttps://example.com/hilfe',
    }
    const preview = await owner.api.call(mails.previewMail, { params, body: { words } })
    const [shown] = bodyOf(preview, 200).examples
    expect(shown?.subject).toBe('Bald ist Schluss bei Example')
    expect(shown?.text).toContain('/servers/host/web-1')
    expect((await readMail()).examples[0]?.subject, 'a preview keeps nothing').not.toBe(shown?.subject)
    const saved = bodyOf(await say(words), 200)
    expect(saved).toMatchObject({ version: 2, words })
    expect(await say({ [subject]: 'Anders' }, {}, 1)).toMatchObject({ body: { present: saved } })
    const written = (locale: 'de' | 'en', host: string) => {
      const context = mailContext(app.config, locale, 'UTC')
      const ends_at = new Date()
      const values = { host, host_id: 'h', plan: 'P', ends_at, charge_at: ends_at, total: 1n, balance: 1n }
      const mail = licenceEndsSoon.write(
        { ...values, currency: 'EUR', refusal: null, is_trial: false },
        context,
      )
      return render(mail, { ...context, config: app.config, name: '' })
    }
    const mail = written('de', 'evil.example.com')
    expect(mail.html).toContain('&lt;b&gt;')
    expect(mail.html).not.toContain('<b>')
    expect(mail.text).toContain('https://example.com/hilfe')
    expect(mail.text, 'a name makes no link of theirs').toContain('status[.]example[.]com/')
    expect(written('en', 'web-1').subject).toContain('web-1')
    const { items } = bodyOf(await owner.api.call(mails.listMailKinds, {}), 200)
    expect(items.filter(({ changed }) => changed.length > 0)).toMatchObject([
      { kind: 'licence_ends_soon', changed: ['de'] },
    ])
  })

  it('goes back to the version before and to ours, and tells the audit', async () => {
    expect(bodyOf(await say({ [subject]: 'Zweites' }), 200).version).toBe(3)
    const restore = (version: number, to: number, section = 'mail_licence_ends_soon') =>
      owner.api.call(contract.restoreCompany, { params: { section }, body: { version, to } })
    expect((await restore(3, 1, 'mail_none_such')).status).toBe(404)
    expect(await restore(2, 1)).toMatchObject(refusedBy(409, 'changed'))
    expect((await restore(3, 2)).status).toBe(204)
    expect((await readMail()).words.words[subject]).toContain('Bald ist Schluss')
    expect((await restore(4, 1)).status).toBe(204)
    const { words, history } = await readMail()
    expect(words).toEqual({ version: 5, words: { [subject]: '', [text]: '' } })
    expect(history.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
    expect(history[2]?.changes).toMatchObject([{ after: 'Zweites' }])
    const { rows } = await database.query<{ detail: object }>(
      `select detail from audit where act = 'company.changed' order by id desc limit 1`,
    )
    expect(rows[0]?.detail).toMatchObject({
      by: owner.user_id,
      section: 'mail_licence_ends_soon',
      version: 5,
    })
  })
})

it('takes a PNG as the logo, and nothing else, and serves it at an address of its own', async () => {
  const send = (png: string | null) => owner.api.call(contract.changeLogo, { body: { png } })
  const base64 = (bytes: Buffer) => bytes.toString('base64')
  const png = Buffer.from(PIXEL, 'base64')
  const wide = Buffer.from(png)
  wide.writeUInt32BE(2001, 16)
  for (const wrong of [Buffer.from('<svg/>'), wide, Buffer.concat([png, Buffer.from('<script>')])])
    expect(await send(base64(wrong))).toMatchObject(refusedBy(400, 'not_a_png', 'png'))
  expect(await send('A'.repeat(54_004))).toMatchObject(refusedBy(400, 'logo_too_large', 'png'))
  const { image } = bodyOf(await send(PIXEL), 200)
  const server = fastify()
  serveWhiteLabel(server, app.config.operator)
  const served = await server.inject(image ?? '')
  expect([served.headers['content-type'], base64(served.rawPayload)]).toEqual(['image/png', PIXEL])
  expect(bodyOf(await send(null), 200)).toEqual({ version: 3, image: null })
  expect((await server.inject(image ?? '')).statusCode).toBe(404)
})

/** A PNG of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR4nGNgAAIAAAUAAXpeqz8AAAAASUVORK5CYII='

it('keeps every version for good, tells the audit, and goes back to each', async () => {
  const restore = (version: number, to: number) =>
    owner.api.call(contract.restoreCompany, { params: { section: 'company' }, body: { version, to } })
  expect(await restore(2, 1)).toMatchObject(refusedBy(409, 'changed'))
  expect((await restore(3, 9)).status).toBe(404)
  expect((await restore(3, 2)).status).toBe(204)
  expect((await read()).company).toMatchObject({ version: 4, name: 'Example GmbH', city: 'Berlin' })
  expect((await restore(4, 1)).status).toBe(204)
  const { company, history } = await read()
  expect(company).toMatchObject({ version: 5, name: 'Old GmbH', operator_name: 'Hostdesk' })
  expect(history.map(({ section, version }) => `${section} ${version}`)).toEqual([
    'company 5',
    'company 4',
    'logo 3',
    'logo 2',
    'words 3',
    'words 2',
    'bank 2',
    'company 3',
    'company 2',
    'company 1',
    'bank 1',
    'logo 1',
    'words 1',
  ])
  const [latest] = history
  expect(latest).toMatchObject({ is_present: true, changed_by: { id: owner.user_id } })
  expect(latest?.changes).toContainEqual({ field: 'name', before: 'Example GmbH', after: null })
  const { rows } = await database.query<{ detail: { by: string; section: string; version: number } }>(
    `select detail from audit where act = 'company.changed' order by id desc limit 1`,
  )
  expect(rows[0]?.detail).toMatchObject({ by: owner.user_id, section: 'company', version: 5 })
  await expect(database.query('delete from kept_settings')).rejects.toThrow()
})

it('settings that could not be read while the database was away are read once it is back', async () => {
  const config = loadConfig({ DATA_DIR: app.config.dataDir, DATABASE_URL: app.ownerUrl, DEMO: 'off' })
  const other = await buildApp(config, { ownerUrl: app.ownerUrl, log: app.log })
  expect((await change({ ...own, city: 'Berlin', phone: '+49 30 1' })).status).toBe(200)
  // The connection is lost between the count of the versions and the versions themselves.
  let taken = 0
  other.pool.on('acquire', (client) => {
    taken += 1
    if (taken === 2) void client.end()
  })
  const stop = followKeptSettings(other, 20)
  try {
    await expect.poll(() => other.config.company.phone).toBe('+49 30 1')
    expect(taken).toBeGreaterThan(2)
  } finally {
    stop()
    await other.close()
  }
})

it('in production nothing is invoiced until the page says who sells, and then that cannot be taken back', async () => {
  const settings = {
    NODE_ENV: 'production',
    DATA_DIR: app.config.dataDir,
    DATABASE_URL: app.ownerUrl,
    SMTP_URL: 'smtps://mail.example.com',
    PUBLIC_ORIGIN: 'https://account.example.com',
    SECRET_KEY: app.config.secretKey.reveal(),
  }
  const other = await buildApp(loadConfig(settings), { ownerUrl: app.ownerUrl, log: app.log })
  try {
    expect((await change({ ...own, zip: '10115', city: 'Berlin' })).status).toBe(200)
    await takeKeptSettings(other.config, other.db)
    expect(other.config.company.isIncomplete, 'an owner has filled it in').toBe(false)
    expect((await issuedInvoice(other, anna.user_id)).number).toMatch(/./)
    const versions = await presentVersions(other.db)
    const { version } = must(versions.find(({ section }) => section === 'company'))
    const back = { section: 'company', version, settings: {}, isWhole: true }
    await expect(keepSection(other, { by: null, caller: null }, back)).rejects.toMatchObject({
      errors: [{ code: 'required', param: 'name' }],
    })
    Object.assign(other.config, { company: loadConfig(settings).company })
    expect(other.config.company).toMatchObject({ isIncomplete: true, name: '', city: '' })
    const seller = { errors: [{ code: 'seller_incomplete' }] }
    await expect(issuedInvoice(other, anna.user_id)).rejects.toMatchObject(seller)
    await expect(assertSellerOfSales(other), 'nothing was sold').resolves.toBeUndefined()
  } finally {
    await other.close()
  }
})
