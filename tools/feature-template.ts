/** Returns the files of a new feature by path. They pass every architecture rule, and hold placeholders to be replaced. */
export function featureFiles(name: string): Record<string, string> {
  const word = { name, camel: camelCase(name), key: name.replaceAll('-', '_'), title: titleOf(name) }
  const files: Record<string, string> = {
    'README.md': readme(word),
    'contract.ts': contract(word),
    'server/feature.ts': feature(word),
    [`server/${name}.ts`]: api(word),
    [`server/${name}.test.ts`]: test(word),
    'web/feature.tsx': webFeature(word),
    [`web/${name}-page.tsx`]: page(word),
  }
  for (const language of ['en', 'de', 'ru']) files[`messages/${language}.json`] = texts(word)
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`features/${name}/${path}`, text]))
}

/** Returns the name of a feature in code: `paymentMethods` for `payment-methods`. */
export const camelCase = (name: string): string =>
  name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

type Word = { name: string; camel: string; key: string; title: string }

const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

const pascal = (camel: string): string => camel.charAt(0).toUpperCase() + camel.slice(1)

const readme = ({ name, title }: Word): string => `# ${title}

What a person does here, in one sentence.

## Words
The nouns of this feature, and the states they pass through.

## Who may do what
A customer sees their own; nobody else's.

## Public API
- \`contract.ts\`: the calls.
- \`server/${name}.ts\`: the handlers.
`

const contract = ({ camel, name, title }: Word): string => `import * as z from 'zod/mini'
import { route } from '#foundation/contract.ts'

export const list${pascal(camel)} = route({
  id: 'list${pascal(camel)}',
  tag: 'Profile',
  method: 'GET',
  path: '/api/${name}/',
  access: { who: 'customer' },
  summary: '${title} of who is signed in',
  replies: { 200: z.strictObject({ items: z.array(z.strictObject({ id: z.string(), name: z.string() })) }) },
})
`

const feature = ({
  name,
  camel,
}: Word): string => `import type { Handler } from '#foundation/server/http/handler.ts'
import { list${pascal(camel)} } from './${name}.ts'

export const routes: readonly Handler[] = [list${pascal(camel)}]
`

const api = ({ name, camel, title }: Word): string => {
  const list = `list${pascal(camel)}`
  return `import { handler } from '#foundation/server/http/handler.ts'
import * as contract from '#features/${name}/contract.ts'

/** ${title} of the caller; nothing is kept yet, so the list is empty. */
export const ${list} = handler(contract.${list}, async () => ({ status: 200, body: { items: [] } }))
`
}

const test = ({ name, camel }: Word): string => `import { expect, it } from 'vitest'
import * as contract from '#features/${name}/contract.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()

it('lists nothing for a new customer', async () => {
  const { api } = await signedInCustomer(test)
  const { status, body } = await api.call(contract.list${pascal(camel)}, {})
  expect(status).toBe(200)
  expect(body).toEqual({ items: [] })
})

it('tells nothing to who is not signed in', async () => {
  const { status } = await test.client().get('/api/${name}/')
  expect(status).toBe(401)
})
`

const webFeature = ({ name, camel, key }: Word): string => `import { paths } from '#features/paths.ts'
import type { PageRoute } from '#foundation/web/pages.ts'
import { m } from '#texts/messages.js'

export const routes: readonly PageRoute[] = [
  {
    path: paths.${camel}.pattern,
    page: () => import('./${name}-page.tsx').then((file) => file.${pascal(camel)}Page),
    title: () => m.${key}_title(),
  },
]
`

const page = ({ name, camel, key }: Word): string => `import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/${name}/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { m } from '#texts/messages.js'

export function ${pascal(camel)}Page() {
  const { data } = useQuery(queryFor(contract.list${pascal(camel)}))
  return (
    <Page title={m.${key}_title()}>
      {data?.items.length === 0 ? <EmptyState title={m.${key}_empty()}>{m.${key}_empty_hint()}</EmptyState> : null}
      {data?.items.map((item) => (
        <p key={item.id}>{item.name}</p>
      ))}
    </Page>
  )
}
`

const texts = ({ key, title }: Word): string => `{
  "${key}_title": "${title}",
  "${key}_empty": "${title}",
  "${key}_empty_hint": "${title}"
}
`
