import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { buildIfStale } from './build.ts'

// A builder that empties its folder first, as Vite does, and fails where the configuration says so.
const builder = `
  const { readFileSync, rmSync, mkdirSync, writeFileSync } = require('node:fs')
  rmSync('dist/web', { recursive: true, force: true })
  if (readFileSync('vite.config.ts', 'utf8') === 'wrong') process.exit(1)
  mkdirSync('dist/web', { recursive: true })
  writeFileSync('dist/web/index.html', '')
`

it('builds again after a build that failed, though the sources are those of the last good build', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'hostdesk-build-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    writeFileSync(path.join(root, name), text)
  }
  write('node_modules/vite/bin/vite.js', builder)
  write('tools/build-client.ts', '')
  write('vite.config.ts', 'right')
  const build = () => buildIfStale(root, () => {})
  const isBuilt = () => existsSync(path.join(root, 'dist/web/index.html'))
  await build()
  expect(isBuilt()).toBe(true)
  write('vite.config.ts', 'wrong')
  await expect(build()).rejects.toThrow('could not be built')
  write('vite.config.ts', 'right')
  await build()
  expect(isBuilt()).toBe(true)
})
