import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { settings } from '#app/server/config.ts'
import { describeProduct } from '#tools/list-routes.ts'

it('docs/product.md lists calls, pages, events, jobs, mails and settings as they are', async () => {
  expect(readFileSync('docs/product.md', 'utf8'), 'npm run routes -- --write').toBe(await describeProduct())
})

it('the README has one row for each setting of the schema, with the default that the schema has', () => {
  const rows = [...readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|.*\| ?(.*?) ?\|$/gm)]
  expect(rows.map(([, name = '']) => name).toSorted()).toEqual(Object.keys(settings).toSorted())
  const defaults = rows.flatMap(([, name = '', said]) => {
    const { fallback = '' } = settings[name as keyof typeof settings]
    return fallback === '' ? [] : [{ name, said, is: `\`${fallback}\`` }]
  })
  expect(defaults.length).toBeGreaterThan(25)
  expect(defaults.filter(({ said, is }) => said !== is)).toEqual([])
})
