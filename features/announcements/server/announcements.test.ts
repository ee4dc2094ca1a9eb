import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/announcements/contract.ts'
import { sendMailAgain } from '#features/customers/mail-contract.ts'
import { decideApproval } from '#features/approvals/contract.ts'
import { createProfile, insertAddress } from '#features/profile/server/profile.ts'
import { changeMailPreferences, updateProfile } from '#features/profile/contract.ts'
import { createHost } from '#features/hosts/contract.ts'
import type { InputOf } from '#foundation/contract.ts'
import { must } from '#foundation/must.ts'
import type { Role } from '#foundation/roles.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { createUser } from '#foundation/server/session/session.ts'
import { anyEmail } from '#tests/harness/any-email.ts'
import { signedInStaff, signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { untilAnswered } from '#tests/harness/until-answered.ts'
import { deliver } from './deliver.ts'

const test = await startTestApp()
const { app, mails, url } = test
const { owner: database } = await ownerOf(test)
await database.query(`select set_config('app.actor', 'system', false)`)

const memberWith = (...roles: Role[]) => signedInStaff(test, { roles })

const [jonas, admin, billing, anna, boris] = [
  await memberWith('support'),
  await memberWith('admin', 'billing'),
  await memberWith('billing'),
  await signedInCustomer(test, { locale: 'de' }),
  await signedInCustomer(test, { locale: 'ru' }),
]
const added = await boris.api.call(createHost, {
  headers: {},
  body: { name: 'rack-7', ipv4: '198.51.100.7' },
})
expect(added.status).toBe(201)

const key = () => ({ 'idempotency-key': randomUUID() })
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const words = {
  title: { en: 'New switches', de: 'Neue Switches', ru: 'Новые коммутаторы' },
  text: { en: 'Short cuts.', de: 'Kurze Ausfälle.', ru: 'Короткие перерывы.' },
}
const maintenance = { kind: 'maintenance', ...words, starts_at: inHours(48), ends_at: inHours(50) } as const
const incident = { kind: 'incident', ...words } as const

type Body = InputOf<typeof contract.createAnnouncement>['body']

async function written(body: Body = maintenance): Promise<contract.Announcement> {
  const reply = await jonas.api.call(contract.createAnnouncement, { headers: {}, body })
  expect(reply.status, JSON.stringify(reply.body)).toBe(201)
  return reply.body
}
const publish = ({ id, version }: contract.Announcement, by = jonas, headers = key()) =>
  by.api.call(contract.publishAnnouncement, { params: { announcementId: id }, headers, body: { version } })
async function published(body: Body = maintenance): Promise<contract.Announcement> {
  const reply = await publish(await written(body))
  expect(reply.status, JSON.stringify(reply.body)).toBe(200)
  return reply.body as contract.Announcement
}
const change = ({ id, version }: contract.Announcement, body: object) =>
  jonas.api.call(contract.updateAnnouncement, { params: { announcementId: id }, body: { ...body, version } })
const end = ({ id }: contract.Announcement, body = {}) =>
  jonas.api.call(contract.resolveAnnouncement, { params: { announcementId: id }, body })
const reads = async (by: Customer) => {
  const { body } = await by.api.call(contract.listNotices, {})
  return 'items' in body ? body.items : []
}
const readsOf = async (by: Customer, { id }: contract.Announcement) =>
  (await reads(by)).find((notice) => notice.id === id)
const asksForNews = async (by: Customer, news = true) =>
  expect((await by.api.call(changeMailPreferences, { body: { news } })).status).toBe(200)
const faults = ({ status, body }: { status: number; body?: unknown }) => [
  status,
  ...((body as { errors?: { code: string; param?: string }[] }).errors ?? []).map(({ code, param }) =>
    param === undefined ? code : `${code}@${param}`,
  ),
]
const endMailsOf = async ({ id }: contract.Announcement) =>
  (await database.query(`select from announcement_end_mails where announcement_id = $1`, [id])).rowCount
const mailsOf = ({ id }: contract.Announcement) =>
  database
    .query<{ revision: number; count: number }>(
      `select revision, count(*)::int as count from announcement_mails where announcement_id = $1 group by 1 order by 1`,
      [id],
    )
    .then(({ rows }) => rows.map(({ revision, count }) => [revision, count]))

describe('writing and publishing', () => {
  it('N-01 nobody reads a draft, and nothing is published that lacks a language or a time', async () => {
    const draft = await written({
      kind: 'maintenance',
      title: { en: 'Soon' },
      text: { ...words.text, ru: ' ' },
    })
    expect(await readsOf(anna, draft)).toBeUndefined()
    expect(faults(await publish(draft))).toEqual([
      400,
      'required@title.de',
      'required@title.ru',
      'required@text.ru',
      'required@starts_at',
      'required@ends_at',
    ])
    const over = await written({ ...maintenance, ends_at: inHours(47) })
    expect(faults(await publish(over))).toEqual([400, 'invalid@ends_at'])
  })

  it('N-01 what customers read changes by the next revision alone', async () => {
    const first = await published()
    expect(await readsOf(anna, first)).toMatchObject({ revision: 1, title: words.title })
    const { body } = await change(first, { title: { de: 'Andere Switches' } })
    expect(body).toMatchObject({ has_changes: true, title: { ...words.title, de: 'Andere Switches' } })
    expect(await readsOf(anna, first)).toMatchObject({ revision: 1, title: words.title })
    const changed = body as contract.Announcement
    expect(faults(await publish(first))).toEqual([409, 'changed'])
    expect((await publish(changed)).status).toBe(200)
    expect(await readsOf(anna, first)).toMatchObject({ revision: 2, title: { de: 'Andere Switches' } })
    const stored = database.query(
      `update announcement_revisions set title = '{}' where announcement_id = $1`,
      [first.id],
    )
    await expect(stored).rejects.toThrow('append-only')
  })

  it('rule 45: an edit of a stale version gets 409 with the current version; a published announcement keeps its kind', async () => {
    const draft = await written()
    expect((await change(draft, { mail: true })).status).toBe(200)
    expect(await change(draft, { mail: false })).toMatchObject({
      status: 409,
      body: { present: { mail: true } },
    })
    const shown = await published()
    expect(faults(await change(shown, { kind: 'news' }))).toEqual([400, 'invalid@kind'])
    expect(faults(await publish(shown))).toEqual([409, 'already_published'])
    expect(faults(await change(draft, { scope: { all: true, plans: ['x'] } }))).toEqual([409, 'changed'])
  })

  it('a server that is not an IPv4 address is refused, as is a scope with two kinds of readers or with none', async () => {
    const wrong = async (scope: object) => {
      const body = { ...maintenance, scope }
      return faults(await jonas.api.call(contract.createAnnouncement, { headers: {}, body }))
    }
    expect(await wrong({ hosts: ['web-1'] })).toEqual([400, 'invalid_ipv4@scope.hosts.0'])
    expect(await wrong({ all: true, plans: ['starter'] })).toEqual([400, 'invalid@scope'])
    expect(await wrong({})).toEqual([400, 'invalid@scope'])
  })

  it('staff and customers without the permission to publish announcements get 403', async () => {
    const draft = await written()
    for (const outsider of [billing, anna]) {
      expect((await publish(draft, outsider)).status).toBe(403)
      const listed = await outsider.api.call(contract.listAnnouncements, { query: {} })
      expect(listed.status).toBe(403)
    }
  })
})

describe('readers', () => {
  it('N-02 reads who it concerns: everybody, or who has one of the servers', async () => {
    const all = await published()
    const some = await published({ ...maintenance, scope: { hosts: ['198.51.100.7', '198.51.100.8'] } })
    const plans = await published({ ...maintenance, scope: { plans: ['no-such-plan'] } })
    expect([await readsOf(anna, some), await readsOf(anna, plans)]).toEqual([undefined, undefined])
    expect([await readsOf(anna, all), await readsOf(boris, some)]).not.toContain(undefined)
    const params = { announcementId: some.id }
    const { body } = await jonas.api.call(contract.countRecipients, { params })
    expect(body).toEqual({ customers: 1, mails: 1, needs_approval: false })
  })

  it('N-02 reads whom a filter of servers found at the publication, whoever it finds later, and is counted before', async () => {
    const [vera, hugo, late] = [
      await signedInCustomer(test, { locale: 'en' }),
      await signedInCustomer(test, { locale: 'en' }),
      await signedInCustomer(test, { locale: 'en' }),
    ]
    const moveTo = (by: Customer, country: string) => by.api.call(updateProfile, { body: { country } })
    for (const by of [vera, hugo, late]) {
      await moveTo(by, by === late ? 'FR' : 'PT')
      expect((await by.api.call(createHost, { headers: {}, body: {} })).status).toBe(201)
    }
    const draft = await written({ ...incident, mail: true, scope: { servers: { country: 'PT' } } })
    expect(draft.scope).toEqual({ servers: { country: 'PT' } })
    const reach = await jonas.api.call(contract.countRecipients, { params: { announcementId: draft.id } })
    expect(reach.body).toMatchObject({ customers: 2, mails: 2 })
    expect((await publish(draft)).status).toBe(200)
    await moveTo(late, 'PT')
    await moveTo(hugo, 'FR')
    await deliver(app, { id: draft.id })
    expect(await mailsOf(draft)).toEqual([[1, 2]])
    for (const [by, isReader] of [
      [vera, true],
      [hugo, true],
      [late, false],
    ] as const)
      expect((await readsOf(by, draft)) !== undefined).toBe(isReader)
    const toNobody = await published({ kind: 'news', ...words, scope: { customers: { debt: 'yes' } } })
    expect(await readsOf(vera, toNobody)).toBeUndefined()
    const toOne = await published({ kind: 'news', ...words, scope: { customers: { q: vera.email } } })
    expect([await readsOf(vera, toOne), await readsOf(hugo, toOne)]).toMatchObject([
      { id: toOne.id },
      undefined,
    ])
  })

  it('N-02 customers read an incident until a day after its resolution; cancelled maintenance disappears at once', async () => {
    const outage = await published(incident)
    const publicly = async () => {
      const { body } = await test.client().call(contract.listPublicNotices, {})
      return 'items' in body ? body.items.map(({ id }) => id) : []
    }
    const local = await published({ ...incident, scope: { hosts: ['198.51.100.7'] } })
    expect(await publicly()).toContain(outage.id)
    expect(await publicly()).not.toContain(local.id)
    expect(faults(await end(outage, { text: { en: 'Fixed' } }))).toEqual([
      400,
      'required@text.de',
      'required@text.ru',
    ])
    const said = { en: 'Fixed', de: 'Behoben', ru: 'Исправлено' }
    expect(await end(outage, { text: said })).toMatchObject({ status: 200, body: { status: 'resolved' } })
    expect(await publicly()).not.toContain(outage.id)
    expect(await readsOf(anna, outage)).toMatchObject({
      resolution: said,
      resolved_at: expect.any(String) as string,
    })
    expect(faults(await end(outage))).toEqual([409, 'announcement_over'])
    expect(faults(await publish(outage))).toEqual([409, 'announcement_over'])
    await database.query(`update announcements set ended_at = now() - interval '25 hours' where id = $1`, [
      outage.id,
    ])
    expect(await readsOf(anna, outage)).toBeUndefined()
    const planned = await published()
    expect(await end(planned)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await readsOf(anna, planned)).toBeUndefined()
  })
})

describe('delivery', () => {
  it('N-03 mails each reader once in their language, however often the job runs, and tells open pages', async () => {
    const stream = await openEvents(url, must(boris.api.access_token))
    const told = await published({ ...maintenance, scope: { hosts: ['198.51.100.7'] }, mail: true })
    await Promise.all([deliver(app, told), deliver(app, told)])
    await stream.until(({ type }) => type === contract.ANNOUNCEMENT_CHANGED)
    stream.close()
    expect(await mailsOf(told)).toEqual([[1, 1]])
    expect((await mails.next(boris.email)).subject).toBe('Плановые работы: Новые коммутаторы')
    const changed = await change(told, { text: { ru: 'Дольше.' } })
    expect((await publish(changed.body as contract.Announcement)).status).toBe(200)
    await deliver(app, told)
    expect(await mailsOf(told)).toEqual([
      [1, 1],
      [2, 1],
    ])
  })

  it('N-03 mails the end once to those who were mailed the beginning, in their language: resolved, ended early, called off', async () => {
    const scope = { hosts: ['198.51.100.7'] }
    const said = { en: 'http://thieves.example', de: 'x', ru: 'http://thieves.example' }
    const endings: [string, Body, object?][] = [
      ['Устранено: Новые коммутаторы', { ...incident, scope, mail: true }, { text: said }],
      ['Завершено: Новые коммутаторы', { ...maintenance, starts_at: inHours(-1), scope, mail: true }],
      ['Отменено: Новые коммутаторы', { ...maintenance, scope, mail: true }],
    ]
    for (const [subject, body, ending] of endings) {
      const told = await published(body)
      await deliver(app, told)
      // A reader who comes only now was mailed no beginning.
      await database.query(`delete from announcement_mails where announcement_id = $1 and user_id <> $2`, [
        told.id,
        boris.user_id,
      ])
      expect((await end(told, ending)).status).toBe(200)
      await Promise.all([deliver(app, told), deliver(app, told)])
      const mail = await mails.about(boris.email, subject)
      expect(mail.subject).toBe(subject)
      expect(mail.text, 'one member alone mails no words to everybody').not.toContain('thieves')
      expect(await endMailsOf(told)).toBe(1)
    }
    await asksForNews(boris)
    const news = await published({ kind: 'news', ...words, scope, mail: true })
    const unmailed = await published({ ...incident, scope })
    for (const quiet of [news, unmailed]) {
      await deliver(app, quiet)
      expect((await end(quiet)).status).toBe(200)
      await deliver(app, quiet)
      expect(await endMailsOf(quiet)).toBe(0)
    }
    expect(await mailsOf(news)).toEqual([[1, 1]])
  })

  it('N-05 news goes by mail to those alone who asked for it, service letters to all; one click without a sign-in ends it', async () => {
    const [wants, never, english] = [
      await signedInCustomer(test, { locale: 'de' }),
      await signedInCustomer(test, { locale: 'de' }),
      await signedInCustomer(test, { locale: 'en' }),
    ]
    for (const by of [wants, english]) await asksForNews(by)
    const [title, text] = [{ de: 'Neue Tarife' }, { de: 'Sehen Sie sie an.' }]
    const toGermans = { title, text, mail: true, scope: { all: true as const, language: 'de' as const } }
    const letter = await published({ kind: 'news', ...toGermans })
    await deliver(app, letter)
    expect(await mailsOf(letter)).toEqual([[1, 1]])
    expect((await readsOf(never, letter))?.title).toEqual({
      en: 'Neue Tarife',
      de: 'Neue Tarife',
      ru: 'Neue Tarife',
    })
    expect(await readsOf(english, letter)).toBeUndefined()
    const service = await written({ ...incident, ...toGermans })
    const reach = await jonas.api.call(contract.countRecipients, { params: { announcementId: service.id } })
    const { rows } = await database.query<{ germans: number }>(
      `select count(*)::int as germans from announcement_readers where is_proven and locale = 'de'`,
    )
    expect(reach.body).toMatchObject({ mails: must(rows[0]).germans })

    const exported = async (query: { language?: 'de' }) => {
      const reply = await fetch(
        `${url}/api/staff/announcements/news-readers.csv?${new URLSearchParams(query)}`,
        {
          headers: { authorization: `Bearer ${jonas.api.access_token}` },
        },
      )
      return (await reply.text()).trim().split('\r\n').slice(1)
    }
    const lines = await exported({ language: 'de' })
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(new RegExp(`^${wants.user_id}.*${wants.email}.*de$`))
    expect((await exported({})).join()).toContain(english.email)
    const audit = await database.query(`select detail from audit where act = 'news.exported' order by id`)
    expect(audit.rows.map(({ detail }) => (detail as { language?: string }).language)).toEqual([
      'de',
      undefined,
    ])

    const mail = await mails.about(wants.email, /^Neue Tarife/)
    const promises = /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m
    expect(mail.raw).toMatch(promises)
    expect(mail.raw).toMatch(/^List-Unsubscribe:\s+<\S+\/api\/news\/stop\/\?key=/m)
    const [, stop = ''] = /stop-news\?key=([\w-]+)/.exec(mail.text ?? '') ?? []
    const oneClick = (key: string) =>
      fetch(`${url}/api/news/stop/?key=${key}`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'List-Unsubscribe=One-Click',
      })
    const forged = `${stop.startsWith('A') ? 'B' : 'A'}${stop.slice(1)}`
    expect((await oneClick(forged)).status).toBe(400)
    expect((await exported({ language: 'de' })).length).toBe(1)
    const [sent] = (
      await database.query<{ id: string }>(
        `select id from mails where user_id = $1 and letter = 'announcement' order by created_at limit 1`,
        [wants.user_id],
      )
    ).rows
    const again = () =>
      admin.api.call(sendMailAgain, { params: { userId: wants.user_id, mailId: must(sent).id } })
    expect((await again()).status).toBe(200)
    for (const _click of [1, 2]) expect((await oneClick(stop)).status).toBe(204)
    await expect.poll(async () => faults(await again())).toEqual([409, 'mail_unwanted'])
    expect(await exported({ language: 'de' })).toEqual([])
    const acts = await database.query(
      `select act from audit where user_id = $1 and act like 'news.%' order by id`,
      [wants.user_id],
    )
    expect(acts.rows.map(({ act }) => act as string)).toEqual(['news.asked_for', 'news.stopped'])
    const next = await published({ kind: 'news', ...toGermans })
    await deliver(app, next)
    expect(await mailsOf(next)).toEqual([])
  })

  it('N-04 a mail to more than a hundred customers needs a second person, and is sent once', async () => {
    await transaction(app, 'system', async (tx) => {
      for (let count = 0; count <= 100; count += 1) {
        const email = anyEmail()
        const user_id = await createUser(tx, { email, locale: 'en' })
        await createProfile(tx, user_id)
        await insertAddress(tx, { user_id, email, is_primary: true, verified: true })
      }
    })
    expect((await publish(await written(), jonas)).status).toBe(200)
    const draft = await written({ ...maintenance, mail: true })
    const asked = await publish(draft)
    expect(asked).toMatchObject({ status: 202, body: { approval: { why: 'always', amount: null } } })
    expect(faults(await publish(draft))).toEqual([409, 'already_proposed'])
    expect(await readsOf(anna, draft)).toBeUndefined()
    const id = 'approval' in asked.body ? asked.body.approval.id : ''
    const decisions = await Promise.all(
      [1, 2, 3].map(() =>
        untilAnswered(() =>
          admin.api.call(decideApproval, { params: { id }, body: { decision: 'approve' } }),
        ),
      ),
    )
    const statuses = decisions.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([200, 409, 409])
    expect(await readsOf(anna, draft)).toMatchObject({ revision: 1 })
    await Promise.all([deliver(app, draft), deliver(app, draft)])
    const { rows } = await database.query<{ readers: number }>(
      'select count(*)::int as readers from announcement_readers where is_proven',
    )
    expect(await mailsOf(draft)).toEqual([[1, must(rows[0]).readers]])
  })

  it('N-04 an approval does not publish an announcement that was changed after the approval was requested', async () => {
    const draft = await written({ ...maintenance, mail: true })
    const asked = await publish(draft)
    const id = 'approval' in asked.body ? asked.body.approval.id : ''
    expect((await change(draft, { text: { en: 'Click http://thieves.example' } })).status).toBe(200)
    const { body } = await admin.api.call(decideApproval, { params: { id }, body: { decision: 'approve' } })
    expect(body).toMatchObject({ status: 'failed', failure: 'changed' })
    expect(await readsOf(anna, draft)).toBeUndefined()
  })
})
