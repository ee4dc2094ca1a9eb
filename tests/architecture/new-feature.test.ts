// The output of `npm run new-feature` passes the architecture rules before anybody uses it.
import { expect, it } from 'vitest'
import { featureFiles } from '#tools/feature-template.ts'
import { mountedIn } from '#tools/new-feature.ts'
import { rules } from './rules/rules.ts'
import { checkout, type Tree } from './rules/tree.ts'

const before = checkout()
const added = { ...featureFiles('gift-cards'), ...mountedIn('gift-cards', before.read) }
const after: Tree = {
  paths: [...new Set([...before.paths, ...Object.keys(added)])],
  read: (path) => added[path] ?? before.read(path),
}

it.each(Object.entries(rules))('a new feature keeps the rule: %s', (_name, rule) => {
  const known = rule(before)
  expect(rule(after).filter((complaint) => !known.includes(complaint))).toEqual([])
})

it('mounts it on both sides, last in the order', () => {
  expect(added['app/server/features.ts']).toContain(', giftCards]')
  expect(added['app/web/features.ts']).toContain(', giftCards]')
  expect(added['features/paths.ts']).toContain("  giftCards: pagePath('/gift-cards'),\n}")
  expect(added['features/README.md']).toMatch(/\d\. \[gift-cards\]\(gift-cards\/README\.md\): .*\n$/)
})
