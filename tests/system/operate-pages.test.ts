import { globSync, readFileSync } from 'node:fs'
import pg from 'pg'
import { expect, it } from 'vitest'
import { commands } from '#app/cli/commands.ts'
import { must } from '#foundation/must.ts'
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

// Seen red: the pipe named no sender, and vacation replies without one were posted or held (Postfix, pipe(8)).
it('K-05 the pipe of Postfix hands over the sender of the envelope, and one recipient at a time', () => {
  const { text } = must(pages.find(({ file }) => file.endsWith('mail-in.md')))
  expect(text).toMatch(/^hostdesk unix .* pipe flags=\w*R\w* .* --to \$\{original_recipient\}$/mu)
  expect(text).toContain('hostdesk_destination_recipient_limit = 1')
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

it('each folder for backups on a page is one that install.sh makes and the units may write to', () => {
  const page = pages.find(({ file }) => file.endsWith('/backup.md'))?.text ?? ''
  const named = [...page.matchAll(/(?:hostdesk (?:backup|restore)[^\n`]* |`)(\/var\/[\w/]+)/g)].map(
    ([, at = '']) => at,
  )
  const settings = readFileSync('deploy/systemd/settings.env', 'utf8')
  const folders = [...named, must(/^#BACKUP_DIR=(.+)$/m.exec(settings)?.[1])]
  expect(folders.length).toBeGreaterThan(6)
  const install = readFileSync('deploy/install.sh', 'utf8')
  for (const unit of ['hostdesk@.service', 'hostdesk-worker@.service']) {
    const text = readFileSync(`deploy/systemd/${unit}`, 'utf8')
    const writable = [...text.matchAll(/^ReadWritePaths=-?(.+)$/gm)].map(([, at = '']) => at)
    writable.push(`/var/lib/${must(/^StateDirectory=(.+)$/m.exec(text)?.[1])}`)
    for (const at of writable) expect(install).toMatch(new RegExp(`install -d .*-o hostdesk .*${at}$`, 'm'))
    expect(folders.filter((folder) => !writable.some((at) => `${folder}/`.startsWith(`${at}/`)))).toEqual([])
  }
})
