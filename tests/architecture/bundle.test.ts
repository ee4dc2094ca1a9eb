// The last check that keeps the server out of the browser: a build fails if it would contain a file of the server or a module of Node.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { build } from 'vite'
import { keepServerOut } from '#tools/vite/keep-server-out.ts'

let root = ''
afterEach(() => rmSync(root, { recursive: true }))

async function bundle(files: Record<string, string>): Promise<string> {
  root = mkdtempSync(join(tmpdir(), 'hostdesk-bundle-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    plugins: [keepServerOut(root)],
    build: { write: false, rolldownOptions: { input: join(root, 'app/web/main.ts') } },
  })
  return JSON.stringify(built)
}

const server = { 'foundation/server/key.ts': "export const key = 'k'\n" }

it('no file of the server gets into the bundle, not even a constant of it', async () => {
  const main = "import { key } from '../../foundation/server/key.ts'\ndocument.title = key\n"
  await expect(bundle({ ...server, 'app/web/main.ts': main })).rejects.toThrow('foundation/server/key.ts')
})

it('no module of Node gets into the bundle', async () => {
  const main = "import { readFileSync } from 'node:fs'\ndocument.title = String(readFileSync)\n"
  await expect(bundle({ 'app/web/main.ts': main })).rejects.toThrow('node:fs')
})

it('no schema gets into the bundle with its library', async () => {
  const zod = join(process.cwd(), 'node_modules/zod/mini/index.js')
  const main = `import * as z from ${JSON.stringify(zod)}\ndocument.title = typeof z.string()\n`
  await expect(bundle({ 'app/web/main.ts': main })).rejects.toThrow('node_modules/zod')
})

it('a page without either is built', async () => {
  expect(await bundle({ ...server, 'app/web/main.ts': "document.title = 'fine'\n" })).toContain('fine')
})
