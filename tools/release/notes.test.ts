import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { hasUnreleased, notesOf } from './notes.ts'

const changelog = `# Changelog

## Unreleased

## 0.2.0 – 2027-01-31
Servers.
### Added
- Racks.

## 0.1.0 – 2026-11-28
The first.
`

it('the notes of a release are its section of the changelog', () => {
  expect(notesOf(changelog, '0.2.0')).toBe('Hostdesk 0.2.0, 2027-01-31\n\nServers.\n### Added\n- Racks.\n')
  expect(notesOf(changelog, '0.1.0')).toBe('Hostdesk 0.1.0, 2026-11-28\n\nThe first.\n')
  expect(() => notesOf(changelog, '0.3.0')).toThrow("no section '## 0.3.0 – YYYY-MM-DD'")
  expect(() => notesOf(changelog.replace(' – 2027-01-31', ''), '0.2.0')).toThrow("'## 0.2.0 – ")
})

it('changes of no version yet are found', () => {
  expect(hasUnreleased(changelog)).toBe(false)
  expect(hasUnreleased(changelog.replace('Unreleased\n', 'Unreleased\n- Shelves.\n'))).toBe(true)
})

it('the version of package.json has its section', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  expect(notesOf(readFileSync('CHANGELOG.md', 'utf8'), version)).toContain(`Hostdesk ${version}, `)
})
