import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterEach, describe, expect, it } from 'vitest'
import { keepServerOut } from './keep-server-out.ts'
import { precompress } from './precompress.ts'
import { stripSchemas } from './strip-schemas.ts'

const roots: string[] = []

/** A small checkout with these files; `app/web/main.ts` is where the browser starts. */
function checkout(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'build-')))
  roots.push(root)
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'))
  for (const [file, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), content)
  }
  return root
}

async function bundle(root: string, plugin: Plugin) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins: [plugin],
    build: { write: false, rolldownOptions: { input: join(root, 'app/web/main.ts') } },
  })
  return (result as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] }).output
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

describe('the build', () => {
  it('fails when code of the server would reach the browser', async () => {
    const root = checkout({
      'features/x/server/secret.ts': "export const secret = 'hunter2'",
      'app/web/main.ts':
        "import { secret } from '../../features/x/server/secret.ts'\ndocument.title = secret",
    })
    await expect(bundle(root, keepServerOut(root))).rejects.toThrow('features/x/server/secret.ts')
  })

  it('fails when a module of Node would reach the browser', async () => {
    const root = checkout({
      'app/web/main.ts': "import { readFileSync } from 'node:fs'\ndocument.title = String(readFileSync)",
    })
    await expect(bundle(root, keepServerOut(root))).rejects.toThrow(/code of the server/u)
  })

  it('lets everything else pass', async () => {
    const root = checkout({ 'app/web/main.ts': "document.title = 'fine'" })
    await expect(bundle(root, keepServerOut(root))).resolves.toHaveLength(1)
  })

  it('leaves schemas, and zod with them, out of the browser', async () => {
    const root = checkout({
      'foundation/contract.ts': 'export const route = (r) => r',
      'features/x/contract.ts': `import * as z from 'zod/mini'
        import { route } from '../../foundation/contract.ts'
        const schema = z.strictObject({ marker: z.string() })
        export const states = ['on', 'off']
        export const read = route({ method: 'GET', path: '/api/read/', who: 'customer', summary: 'told', replies: { 200: schema } })
        export const other = route({ method: 'GET', path: '/api/other/', who: 'customer', replies: { 200: schema } })`,
      'app/web/main.ts': `import { read, states } from '../../features/x/contract.ts'
        document.title = read.path + read.method + states.join()`,
    })
    const code = (await bundle(root, stripSchemas(root)))[0]?.code ?? ''
    expect(code).toContain('/api/read/')
    expect(code).toContain('off')
    expect(code).not.toContain('marker')
    expect(code).not.toContain('told')
    expect(code).not.toContain('/api/other/')
    expect(code.length).toBeLessThan(400)
  })

  it('writes brotli and gzip copies that are the same file', async () => {
    const root = checkout({ 'app/web/main.ts': `document.title = ${JSON.stringify('text '.repeat(500))}` })
    const files = await bundle(root, precompress())
    const code = files.find(({ fileName }) => fileName.endsWith('.js'))?.code ?? ''
    const copy = (ending: string) =>
      files.find(({ fileName }) => fileName.endsWith(ending))?.source as Uint8Array
    expect(brotliDecompressSync(copy('.js.br')).toString()).toBe(code)
    expect(gunzipSync(copy('.js.gz')).toString()).toBe(code)
  })
})
