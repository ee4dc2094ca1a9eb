import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

// Operators copy from docs/operate/: each SQL statement there must be valid, and each command must exist.
const { app } = await startTestApp()
const pages = globSync('docs/operate/*.md').map((file) => ({ file, text: readFileSync(file, 'utf8') }))
const codeIn = (text: string) =>
  [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  )

it('each SQL statement on a page for operators is valid on the product’s database', async () => {
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  const statements = pages.flatMap(({ file, text }) =>
    codeIn(text)
      .filter((code) => /^(?:select|update|delete) /.test(code))
      .map((statement) => ({ file, statement })),
  )
  expect(statements.length).toBeGreaterThan(3)
  for (const { file, statement } of statements)
    await expect(owner.query(`explain ${statement}`), `${file}: ${statement}`).resolves.toBeDefined()
  await owner.end()
})

it('each hostdesk command on a page for operators exists', () => {
  const known = ['start', 'help', ...Object.keys(commands)]
  const unknown = pages.flatMap(({ file, text }) =>
    codeIn(text)
      .flatMap((code) => /^hostdesk ([a-z][a-z -]*)/.exec(code)?.[1]?.trim() ?? [])
      .filter((typed) => !known.some((name) => typed === name || typed.startsWith(`${name} `)))
      .map((typed) => `${file}: hostdesk ${typed}`),
  )
  expect(unknown).toEqual([])
})
