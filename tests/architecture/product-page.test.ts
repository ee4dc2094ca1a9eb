import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { describeProduct } from '#tools/list-routes.ts'

it('docs/product.md lists calls, pages, events, jobs, mails and settings as they are', async () => {
  expect(readFileSync('docs/product.md', 'utf8'), 'npm run routes -- --write').toBe(await describeProduct())
})
