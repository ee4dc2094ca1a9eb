import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import * as contract from '#features/support/desk/contract.ts'
import { MOST_REPLIES } from '#features/support/desk/rules.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff, type Customer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import * as queries from './reply-queries.ts'

const test = await startTestApp()
const hello = { title: 'Hello', text: 'Hello {customer},', language: 'en' as const }

const make = ({ api }: Customer, body: Partial<typeof hello> = {}, key?: string) =>
  api.call(contract.createReply, {
    headers: key === undefined ? {} : { 'idempotency-key': key },
    body: { ...hello, ...body },
  })
const titlesFor = async ({ api }: Customer) =>
  bodyOf(await api.call(contract.listReplies, {}), 200).items.map(({ title }) => title)

describe('canned replies', () => {
  it('are shared: one colleague writes, another finds, changes and removes', async () => {
    const [olivia, jonas] = [await signedInStaff(test), await signedInStaff(test)]
    const { id, changed_at, version } = bodyOf(await make(olivia), 201)
    expect(await titlesFor(jonas)).toContain('Hello')
    const params = { replyId: id }
    const body = { title: 'Good morning', version }
    const changed = await jonas.api.call(contract.updateReply, { params, body })
    expect(changed).toMatchObject({ status: 200, body: { ...hello, title: 'Good morning', id } })
    expect(bodyOf(changed, 200).changed_at > changed_at).toBe(true)
    expect((await olivia.api.call(contract.deleteReply, { params })).status).toBe(204)
    expect((await olivia.api.call(contract.deleteReply, { params })).status).toBe(404)
    expect((await olivia.api.call(contract.updateReply, { params, body })).status).toBe(404)
    expect(await titlesFor(jonas)).not.toContain('Good morning')
  })

  it('rule 45: an edit of another state than the present one changes nothing and answers with the present one', async () => {
    const [olivia, jonas] = [await signedInStaff(test), await signedInStaff(test)]
    const reply = bodyOf(await make(olivia), 201)
    const params = { replyId: reply.id }
    const edit = ({ api }: Customer, body: { title?: string; text?: string }, version: number) =>
      api.call(contract.updateReply, { params, body: { ...body, version } })
    const first = bodyOf(await edit(jonas, { title: 'From Jonas' }, reply.version), 200)
    expect(first.version).toBe(reply.version + 1)
    const stale = await edit(olivia, { title: 'From Olivia' }, reply.version)
    expect(stale).toMatchObject({
      status: 409,
      body: { errors: [{ code: 'changed' }], present: { ...first, title: 'From Jonas' } },
    })
    // Two members edit at once: one edit is refused.
    const both = await Promise.all(
      [olivia, jonas].map((one) => edit(one, { text: one.user_id }, first.version)),
    )
    expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
    expect((await olivia.api.call(contract.deleteReply, { params })).status).toBe(204)
  })

  it('come by language and title', async () => {
    const staff = await signedInStaff(test)
    for (const [title, language] of [
      ['B', 'ru'],
      ['B', 'de'],
      ['A', 'ru'],
    ] as const)
      await staff.api.call(contract.createReply, { headers: {}, body: { ...hello, title, language } })
    const { items } = bodyOf(await staff.api.call(contract.listReplies, {}), 200)
    expect(items.map(({ title, language }) => `${language} ${title}`)).toEqual(['de B', 'ru A', 'ru B'])
  })

  it('need a title, words and a language that is spoken here', async () => {
    const { api } = await signedInStaff(test)
    const wrong = { title: ' ', text: ' \n', language: 'fr' }
    const reply = await api.post<{ errors: { code: string; param: string }[] }>('/api/staff/replies/', wrong)
    expect([reply.status, reply.body.errors.map(({ code, param }) => `${code}@${param}`)]).toEqual([
      400,
      ['required@title', 'required@text', 'unknown_language@language'],
    ])
  })

  it('rule 10: the same key is the same reply', async () => {
    const staff = await signedInStaff(test)
    const key = randomUUID()
    const replies = await Promise.all(Array.from({ length: 8 }, () => make(staff, { title: 'Once' }, key)))
    expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect((await titlesFor(staff)).filter((title) => title === 'Once')).toHaveLength(1)
  })

  it('rule 2: a customer’s transaction reaches none, even if the code tries to', async () => {
    const [staff, customer] = [await signedInStaff(test), await signedInCustomer(test)]
    const { id } = bodyOf(await make(staff, { title: 'Kept' }), 201)
    const author = { userId: customer.user_id }
    await transaction(test.app, author, (tx) => queries.deleteReply(tx, id))
    expect(await titlesFor(staff)).toContain('Kept')
  })

  it('rule 33: end at a number, also for many at once', async () => {
    const staff = await signedInStaff(test)
    const before = (await titlesFor(staff)).length
    await transaction(test.app, 'system', async (tx) => {
      for (let count = before; count < MOST_REPLIES - 2; count += 1)
        await queries.insertReply(tx, { ...hello, author_id: staff.user_id }, MOST_REPLIES)
    })
    // Without a lock all ten requests counted the same 498 replies, and all were accepted.
    const replies = await Promise.all(Array.from({ length: 10 }, () => make(staff)))
    const statuses: number[] = replies.map(({ status }) => status)
    const count = (status: number) => statuses.filter((one) => one === status).length
    expect([count(201), count(409)]).toEqual([2, 8])
  })
})
