// A warning of the start, and a line of the documentation, once sent owners to a page that had another address by then.
import { expect, it } from 'vitest'
import { paths } from '#features/paths.ts'
import { checkout, isTest } from './rules/tree.ts'

const known = new Set(Object.values(paths).map(({ pattern }) => pattern.split('/')[1]))

it('sentences in code, texts and documents name pages of staff that are there', () => {
  const { paths: files, read } = checkout()
  const named = files
    .filter((file) => /\.(tsx?|json|md|html)$/.test(file) && !isTest(file) && file !== 'CHANGELOG.md')
    .flatMap((file) =>
      [...read(file).matchAll(/\/account\/(staff-[a-z-]+)/gu)].map(([, page = '']) => ({ file, page })),
    )
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(({ page }) => !known.has(page))).toEqual([])
})
