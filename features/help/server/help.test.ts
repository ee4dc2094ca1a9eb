import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { searchHelp, searchStaffHelp } from '#features/help/contract.ts'
import { createHelpSection, deleteHelpSection, updateHelpSection } from '#features/help/section-contract.ts'
import * as contract from '#features/help/staff-contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { refusal } from '#tests/harness/hosts.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { publicArticles, publicText } from './public-queries.ts'

const test = await startTestApp({ settings: { TRUSTED_PROXIES: '1' } })
const { count } = await ownerOf(test)
const { api } = await signedInStaff(test, { roles: ['support'] })

const visit = async (path: string, headers: Record<string, string> = {}, method = 'GET', body?: string) => {
  const reply = await fetch(`${test.url}${path}`, {
    method,
    headers: { 'accept-language': 'en', ...headers },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  })
  return { status: reply.status, headers: reply.headers, html: await reply.text() }
}

const robots = await visit('/robots.txt')
const before = await visit('/help/')

const section = bodyOf(
  await api.call(createHelpSection, {
    headers: {},
    body: { slug: 'servers', rank: 1, title: { en: 'Servers', de: 'Server', ru: 'Серверы' } },
  }),
  201,
)
const write = async (slug: string, more: object = {}) =>
  bodyOf(
    await api.call(contract.createHelpArticle, {
      headers: {},
      body: {
        section_id: section.id,
        slug,
        title: { en: 'Connect a server', de: 'Einen Server verbinden', ru: 'Подключить сервер' },
        text: {
          en: 'Run the **agent**.\n\n## Then\n\n- wait\n- see [Servers](/account/servers/list)\n\n```\nsudo <install>\n```',
          de: 'Starten Sie den Agenten.',
          ru: 'Запустите агента на сервере.',
        },
        keywords: { en: 'installation', de: 'einrichten', ru: 'установка' },
        ...more,
      },
    }),
    201,
  )
const publish = async ({ id, version }: { id: string; version: number }) =>
  bodyOf(await api.call(contract.publishHelpArticle, { params: { articleId: id }, body: { version } }), 200)

const article = await publish(await write('connect-a-server'))
const forStaff = await publish(
  await write('judge-a-refund', {
    audience: 'staff',
    title: { en: 'Judge a refund' },
    text: { en: 'Ask for the agent log first: <b>secret</b>.' },
    keywords: {},
  }),
)
await write('a-draft', { title: { en: 'Unfinished agent' } })

it('is closed until something is published, then open to everybody, without script and cookie', async () => {
  expect([before.status, robots.html]).toEqual([404, 'User-agent: *\nDisallow: /\n'])
  const index = await visit('/help/')
  expect(index.html).toContain('href="/help/servers/connect-a-server/"')
  expect(index.html).not.toMatch(/judge-a-refund|Unfinished|<script/)
  expect(index.headers.get('set-cookie')).toBeNull()
  expect(index.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'")
  const page = await visit('/help/en/servers/connect-a-server/')
  expect(page.headers.get('cache-control')).toBe('public, max-age=60')
  expect(page.html).toContain('<strong>agent</strong>')
  expect(page.html).toContain('<h2>Then</h2>')
  expect(page.html).toContain('sudo &lt;install&gt;')
  expect(page.html).toContain('<a href="http://localhost:3000/account/servers/list">Servers</a>')
  expect(page.html).toContain(
    '<link rel="canonical" href="http://localhost:3000/help/en/servers/connect-a-server/"',
  )
  expect((await visit('/help/ru/servers/connect-a-server/')).html).toContain('<h1>Подключить сервер</h1>')
  expect((await visit('/help/servers')).headers.get('location')).toBe('/help/servers/')
  expect((await visit('/help/servers/judge-a-refund/')).status).toBe(404)
  expect((await visit('/help/none/connect-a-server/')).status).toBe(404)
  expect((await visit('/robots.txt')).html).toContain(
    'Sitemap: http://localhost:3000/help/sitemap.xml\nAllow: /help/\n',
  )
  expect((await visit('/help/sitemap.xml')).html.match(/<loc>/g)).toHaveLength(9)
  const [, style = ''] = /rel="stylesheet" href="([^"]+)"/.exec(page.html) ?? []
  expect((await visit(style)).status).toBe(200)
})

it('finds by stems in each language, marks what fits, and shows what was typed as text', async () => {
  for (const [language, q, mark] of [
    ['en', 'running agents', 'agent'],
    ['de', 'Agenten einrichten', 'Agenten'],
    ['ru', 'установка агентов', 'агента'],
  ] as const) {
    const { html } = await visit(`/help/${language}/?q=${encodeURIComponent(q)}`)
    expect(html, q).toContain(`<mark>${mark}</mark>`)
    expect(html, q).toContain(`href="/help/${language}/servers/connect-a-server/"`)
    expect(html).toContain('<meta name="robots" content="noindex" />')
  }
  const hostile = await visit(`/help/?q=${encodeURIComponent("<script>alert(1)</script> & ' | ! :*")}`)
  expect(hostile.status).toBe(200)
  expect(hostile.html).not.toContain('<script>')
  const customer = await signedInCustomer(test)
  const ask = async (q: string, who = customer.api) =>
    bodyOf(await who.call(searchHelp, { query: { q, language: 'en' } }), 200)
  expect(await ask('installation of an agent refund secret')).toMatchObject({
    url: 'http://localhost:3000/help/en/',
    items: [
      { id: article.id, section: 'Servers', url: 'http://localhost:3000/help/en/servers/connect-a-server/' },
    ],
  })
  expect((await ask('weather')).items).toEqual([])
  const staffs = bodyOf(
    await api.call(searchStaffHelp, { query: { q: 'refund secret', language: 'en' } }),
    200,
  )
  expect(staffs.items[0]).toMatchObject({
    id: forStaff.id,
    url: `http://localhost:3000/account/staff-help/${forStaff.id}`,
  })
  for (const person of [customer.api, test.client()])
    expect([401, 403]).toContain((await person.call(searchStaffHelp, { query: { q: 'refund' } })).status)
})

it('shows a change once it is published, keeps each version, and takes an article back', async () => {
  const params = { articleId: article.id }
  const text = { en: 'Run the new agent.' }
  const changed = bodyOf(
    await api.call(contract.updateHelpArticle, { params, body: { text, version: article.version } }),
    200,
  )
  expect(changed).toMatchObject({ is_published: true, has_changes: true, revision: 1 })
  const stale = await api.call(contract.updateHelpArticle, {
    params,
    body: { text, version: article.version },
  })
  expect(stale, 'rule 45').toMatchObject({ status: 409, body: { present: { id: article.id, text } } })
  expect((await visit('/help/en/servers/connect-a-server/')).html).not.toContain('new agent')
  const early = await api.call(contract.publishHelpArticle, { params, body: { version: article.version } })
  expect(early, 'what was read is published').toMatchObject({ status: 409, body: refusal(409, 'changed') })
  const published = await publish(changed)
  expect((await visit('/help/en/servers/connect-a-server/')).html).toContain('Run the new agent.')
  const again = await api.call(contract.publishHelpArticle, { params, body: { version: published.version } })
  expect(again).toMatchObject({ status: 409, body: refusal(409, 'help_published') })
  const { items } = bodyOf(await api.call(contract.listHelpRevisions, { params }), 200)
  expect(items.map((one) => [one.revision, one.text.en.slice(0, 11)])).toEqual([
    [2, 'Run the new'],
    [1, 'Run the **a'],
  ])
  const draft = await write('empty', { title: {}, text: {} })
  expect(
    await api.call(contract.publishHelpArticle, {
      params: { articleId: draft.id },
      body: { version: draft.version },
    }),
  ).toMatchObject({ status: 409, body: refusal(409, 'help_article_empty') })
  const shown = must((await publicArticles(test.app.db)).find(({ slug }) => slug === 'connect-a-server'))
  bodyOf(await api.call(contract.withdrawHelpArticle, { params }), 200)
  expect((await visit('/help/')).status).toBe(404)
  expect(await publicText(test.app.db, shown.id), 'withdrawn after the list was read').toBeUndefined()
  const back = bodyOf(await api.call(contract.getHelpArticle, { params }), 200)
  expect(await publish(back)).toMatchObject({ is_published: true, revision: 2 })
})

it('refuses an address that is taken and a section that is in use', async () => {
  const body = { section_id: section.id, slug: 'connect-a-server' }
  expect(await api.call(contract.createHelpArticle, { headers: {}, body })).toMatchObject({
    status: 409,
    body: refusal(409, 'help_address_taken', 'slug'),
  })
  const params = { sectionId: section.id }
  expect(await api.call(deleteHelpSection, { params })).toMatchObject({ status: 409 })
  const other = bodyOf(
    await api.call(createHelpSection, { headers: {}, body: { slug: 'money', rank: 2, title: {} } }),
    201,
  )
  expect((await api.call(deleteHelpSection, { params: { sectionId: other.id } })).status).toBe(204)
  const taken = { params, body: { slug: 'servers', title: { en: 'Machines' }, version: section.version } }
  expect((await api.call(updateHelpSection, taken)).status).toBe(200)
  expect((await api.call(updateHelpSection, taken)).status, 'rule 45').toBe(409)
})

it('counts one vote of a visitor, keeps nobody, and none that another site sends', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const place = '/help/en/servers/connect-a-server/vote'
  const vote = (ip: string, more: Record<string, string> = {}, helpful = 'yes') =>
    visit(place, { ...form, 'x-forwarded-for': ip, ...more }, 'POST', `helpful=${helpful}`)
  const voted = await vote('91.64.0.1')
  const cookie = voted.headers.get('set-cookie')?.split(';')[0] ?? ''
  expect([voted.status, voted.headers.get('location'), cookie]).toEqual([
    303,
    '/help/en/servers/connect-a-server/#vote',
    `help_${article.id}=yes`,
  ])
  await vote('91.64.0.2', { cookie })
  await vote('91.64.0.1', {}, 'no')
  await vote('91.64.0.3', { 'sec-fetch-site': 'cross-site' })
  await vote('91.64.0.4', {}, 'maybe')
  await vote('91.64.0.5', {}, 'no')
  const thanks = await visit('/help/en/servers/connect-a-server/', { cookie })
  expect(thanks.html).toContain('your vote has been counted')
  expect(thanks.headers.get('cache-control')).toBe('private, no-cache')
  const { articles } = bodyOf(await api.call(contract.listHelp, {}), 200)
  expect(articles.find(({ id }) => id === article.id)).toMatchObject({ helpful: 1, unhelpful: 1 })
})

it('deletes an article with its versions: no page, no search, no list has it, its address is free, and the record says who', async () => {
  const title = { en: 'Move a licence' }
  const text = { en: 'Relocating. [Connect](/help/en/servers/connect-a-server/#then) it first.' }
  const gone = await publish(await write('move-a-licence', { title, text, keywords: {} }))
  const linked = bodyOf(await api.call(contract.getHelpArticle, { params: { articleId: article.id } }), 200)
  expect(linked.linked_from).toEqual([{ id: gone.id, title: { en: 'Move a licence', de: '', ru: '' } }])
  const params = { articleId: gone.id }
  await visit('/help/en/servers/move-a-licence/vote', {}, 'POST', 'helpful=yes')
  const customer = await signedInCustomer(test)
  expect((await customer.api.call(contract.deleteHelpArticle, { params })).status).toBe(403)
  expect((await visit('/help/en/servers/move-a-licence/')).status).toBe(200)
  expect((await api.call(contract.deleteHelpArticle, { params })).status).toBe(204)
  expect((await api.call(contract.deleteHelpArticle, { params })).status).toBe(404)
  expect((await visit('/help/en/servers/move-a-licence/')).status).toBe(404)
  expect((await visit('/help/en/?q=relocating')).html).not.toContain('move-a-licence')
  expect((await visit('/help/sitemap.xml')).html).not.toContain('move-a-licence')
  const found = await customer.api.call(searchHelp, { query: { q: 'relocating licence', language: 'en' } })
  expect(bodyOf(found, 200).items).toEqual([])
  expect((await api.call(contract.listHelpRevisions, { params })).status).toBe(404)
  const again = await publish(await write('move-a-licence', { title }))
  expect(again.revision).toBe(1)
  expect(await count(`help_revisions where article_id = '${gone.id}'`)).toBe(0)
  expect(await count(`audit where act = 'help.deleted' and detail->>'title' = 'Move a licence'`)).toBe(1)
  await expect(
    transaction(test.app, 'system', (tx) => sql`delete from help_revisions`.execute(tx)),
    'a version by itself stays',
  ).rejects.toThrow(/permission denied/)
})
