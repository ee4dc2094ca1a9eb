import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterEach, describe, expect, it } from 'vitest'
import { compressFiles } from '#tools/compress-files.ts'
import { cutFonts } from './cut-fonts.ts'
import { firstScript } from './first-script.ts'
import { stripSchemas } from './strip-schemas.ts'

const roots: string[] = []
const MAIN = 'app/web/main.ts'

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

async function bundle(root: string, input: string, ...plugins: Plugin[]) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins,
    build: { write: false, rolldownOptions: { input: join(root, input) } },
  })
  return (result as { output: { fileName: string; code?: string; source?: string | Uint8Array }[] }).output
}

afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

describe('the build', () => {
  it('leaves schemas, and zod with them, out of the browser', async () => {
    const root = checkout({
      'foundation/contract.ts': 'export const route = (r) => r',
      'foundation/printed.ts': `import * as z from 'zod/mini'
        export const printed = z.registry()
        export const named = (id, schema) => printed.add(schema, { id })`,
      'features/x/contract.ts': `import * as z from 'zod/mini'
        import { route } from '../../foundation/contract.ts'
        import { named } from '../../foundation/printed.ts'
        const schema = z.strictObject({ marker: z.string() })
        named('NameOfIt', schema)
        export const states = ['on', 'off']
        export const read = route({ method: 'GET', path: '/api/read/', access: { who: 'customer' }, summary: 'told', replies: { 200: schema } })
        export const other = route({ method: 'GET', path: '/api/other/', access: { who: 'customer' }, replies: { 200: schema } })`,
      'app/web/main.ts': `import { read, states } from '../../features/x/contract.ts'
        document.title = read.path + read.method + states.join()`,
    })
    const code = (await bundle(root, MAIN, stripSchemas(root)))[0]?.code ?? ''
    expect(code).toContain('/api/read/')
    expect(code).toContain('off')
    expect(code).not.toContain('marker')
    expect(code).not.toContain('NameOfIt')
    expect(code).not.toContain('told')
    expect(code).not.toContain('/api/other/')
    expect(code.length).toBeLessThan(400)
  })

  // The list of servers once loaded the labels of the profile and the digits of all scripts with its contracts.
  it('loads no file that the schemas alone have read', async () => {
    const root = checkout({
      'foundation/contract.ts': 'export const route = (r) => r',
      'features/x/fields.ts': 'document.title = "only schemas read this"\nexport const most = 5, shown = 7',
      'features/x/contract.ts': `import * as z from 'zod/mini'
        import { route } from '../../foundation/contract.ts'
        import { most, shown } from './fields.ts'
        const text = z.string().check(z.maxLength(most))
        const schema = z.strictObject({ text })
        export const read = route({ method: 'GET', path: '/api/read/', replies: { 200: schema } })`,
      'app/web/main.ts': `import { read } from '../../features/x/contract.ts'
        document.title = read.path`,
    })
    const code = (await bundle(root, MAIN, stripSchemas(root)))[0]?.code ?? ''
    expect(code).toContain('/api/read/')
    expect(code).not.toContain('only schemas')
  })

  it('leaves out of the font what no page draws, and no letter', async () => {
    const name = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
    const root = checkout({
      'app/web/main.ts': "import './styles.css'",
      'app/web/styles.css': `@font-face { font-family: Inter; src: url('${name}') }`,
    })
    const files = await bundle(root, MAIN, cutFonts(root))
    const cut = files.find(({ fileName }) => fileName.endsWith('.woff2'))?.source as Uint8Array
    const whole = readFileSync(join('node_modules', name))
    expect(cut.length).toBeLessThan(whole.length * 0.7)
    expect(lettersOf(cut)).toEqual(lettersOf(whole))
    await expect(bundle(checkout({ 'app/web/main.ts': '' }), MAIN, cutFonts(root))).rejects.toThrow('Inter')
  })

  it('gives the first script a hash, and the file of the frame to ask for', async () => {
    const root = checkout({
      'theme.js': "document.title = 'first'",
      'index.html':
        '<script src="./theme.js" vite-ignore></script><script type="module" src="./main.ts"></script>',
      'main.ts': "import('./home.ts')",
      'home.ts': "document.title = 'home'",
    })
    const build = (frame: string) => bundle(root, 'index.html', firstScript('theme.js', frame))
    const files = await build('home')
    const named = (name: string) =>
      files.find(({ fileName }) => new RegExp(`^assets/${name}-.{8}\\.js$`).test(fileName))
    expect(named('theme')?.code).toContain('first')
    expect(files.find(({ fileName }) => fileName === 'index.html')?.source).toContain(
      `<script src="/account/${named('theme')?.fileName}" data-frame="/account/${named('home')?.fileName}"`,
    )
    await expect(build('gone')).rejects.toThrow('theme.js')
  })

  it('writes brotli and gzip copies that are the same file', async () => {
    const text = 'text '.repeat(500)
    const root = checkout({ 'assets/long.js': text, 'assets/short.js': 'text', 'letters.woff2': text })
    await compressFiles(root)
    expect(brotliDecompressSync(readFileSync(join(root, 'assets/long.js.br'))).toString()).toBe(text)
    expect(gunzipSync(readFileSync(join(root, 'assets/long.js.gz'))).toString()).toBe(text)
    expect(globSync('**/*.{br,gz}', { cwd: root })).toHaveLength(2)
  })
})

/** Returns the characters of a font, and the width of a sample in this font. */
function lettersOf(woff2: Uint8Array) {
  type Font = { characterSet: number[]; layout(text: string): { advanceWidth: number } }
  const fontkit: { create(bytes: Buffer): Font } = createRequire(import.meta.url)('fontkit')
  const font = fontkit.create(Buffer.from(woff2))
  return [font.characterSet, font.layout('Größe 1').advanceWidth]
}
