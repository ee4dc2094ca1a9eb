import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterEach, describe, expect, it } from 'vitest'
import { firstFiles } from './first-files.ts'
import { keepServerOut } from './keep-server-out.ts'
import { keylessIcons } from './keyless-icons.ts'
import { lexerOnly } from './lexer-only.ts'
import { plainImports } from './plain-imports.ts'
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

async function bundle(root: string, ...plugins: Plugin[]) {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    root,
    plugins,
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
    const code = (await bundle(root, stripSchemas(root)))[0]?.code ?? ''
    expect(code).toContain('/api/read/')
    expect(code).toContain('off')
    expect(code).not.toContain('marker')
    expect(code).not.toContain('NameOfIt')
    expect(code).not.toContain('told')
    expect(code).not.toContain('/api/other/')
    expect(code.length).toBeLessThan(400)
  })

  it('leaves of marked the lexer alone, which reads as before', async () => {
    const root = checkout({
      'app/web/main.ts': "import { Lexer } from 'marked'\nwindow.lexed = new Lexer().lex('> **a** ~~b~~')",
    })
    const whole = (await bundle(root))[0]?.code ?? ''
    const code = (await bundle(root, lexerOnly()))[0]?.code ?? ''
    expect(code.length).toBeLessThan(whole.length * 0.8)
    const [before, after] = [{}, {}]
    runInNewContext(whole, { window: before })
    runInNewContext(code, { window: after })
    expect(after).toEqual(before)
    expect(JSON.stringify(after)).toContain('"type":"strong"')
  })

  it('leaves the keys of shapes out of icons, and nothing else', async () => {
    const root = checkout({
      'app/web/main.ts':
        "import { __iconData } from 'lucide-react/icons/key-round'\nwindow.drawn = __iconData.node",
    })
    const [before, after] = [{}, {}]
    runInNewContext((await bundle(root))[0]?.code ?? '', { window: before })
    runInNewContext((await bundle(root, keylessIcons()))[0]?.code ?? '', { window: after })
    expect(after).toEqual(JSON.parse(JSON.stringify(before).replaceAll(/,"key":"\w+"/gu, '')))
    expect(JSON.stringify(after)).toContain('"cx":"16.5"')
    expect(JSON.stringify(after)).not.toContain('"key"')
  })

  it('leaves an import() as it is written, without a helper around it', async () => {
    const root = checkout({
      'app/web/main.ts': "void import('./page.ts').then((page) => page.show())",
      'app/web/page.ts': "export const show = () => { document.title = 'page' }",
    })
    const [before, after] = [await bundle(root), await bundle(root, plainImports())]
    expect(before[0]?.code).toContain('modulepreload')
    expect(after[0]?.code).not.toContain('modulepreload')
    expect(after[0]?.code).toContain('import(')
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

/** The effects of the first script at an address: the scripts it asks for, by their pages' names, and the calls it begins. */
async function firstScript(address: string, token?: string, notices?: string) {
  const root = checkout({
    'app/web/index.html': '<script src="/theme.js"></script><script type="module" src="./main.ts"></script>',
    'app/web/public/theme.js': '',
    'app/web/first.js': readFileSync(join(process.cwd(), 'app/web/first.js'), 'utf8'),
    'app/web/main.ts': `export const pages = [
      import('../../features/x/web/list-page.ts'), import('../../features/x/web/auth-page.ts'),
      import('./other-page.ts'), import('./shell.ts'), import('./staff-pages.ts'), import('./notices.ts')]`,
    'app/web/notices.ts': 'document.title = "notices"',
    'app/web/staff-pages.ts': 'document.title = "staff"',
    'app/web/shell.ts': 'document.title = "shell"',
    'app/web/other-page.ts': 'document.title = "other"',
    'features/x/web/auth-page.ts': 'document.title = "auth"',
    'features/x/web/list-page.ts': 'document.title = "list"',
    'app/web/routes.tsx': `export const routes = [
      { path: paths.other.pattern, page: () => import('./other-page.ts').then((file) => file.Other) }]`,
    'features/x/web/routes.tsx': `export const routes = [
      { path: paths.list.pattern, page: () => import('./list-page.ts').then((file) => file.List) }]`,
  })
  const first = firstFiles(
    {
      lists: ['app/web/routes.tsx', 'features/x/web/routes.tsx'],
      paths: { list: { pattern: '/list' }, other: { pattern: '/other/$id' } },
      login: 'x/web/auth-page.ts',
      frame: 'app/web/shell.ts',
      notices: 'app/web/notices.ts',
      home: '/list',
      staff: 'app/web/staff-pages.ts',
    },
    root,
  )
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    root: join(root, 'app/web'),
    base: '/account/',
    plugins: [first, precompress()],
    build: { write: false },
  })) as { output: { fileName: string; source?: string | Uint8Array }[] }
  const find = (name: RegExp) => String(built.output.find(({ fileName }) => name.test(fileName))?.source)
  const named = /<script src="\/account\/(assets\/start-[\w-]+\.js)">/u.exec(find(/index\.html$/u))?.[1]
  const asked: string[] = []
  const calls: { url: string; headers: Record<string, string> }[] = []
  const window: { startedCall?: { token: string } } = {}
  runInNewContext(find(new RegExp(`^${named}$`, 'u')), {
    window,
    atob,
    location: { pathname: `/account${address}` },
    localStorage: { getItem: (key: string) => (key === 'notices' ? notices : token) ?? null },
    document: {
      cookie: 'a=b; csrftoken=t0k%20en',
      createElement: () => ({}),
      head: { append: ({ href }: { href: string }) => asked.push(href) },
    },
    fetch: async (url: string, request: { headers: Record<string, string> }) => {
      calls.push({ url, headers: request.headers })
    },
  })
  const names = asked.map((href) => /^\/account\/assets\/([a-z]+)/u.exec(href)?.[1])
  return { names, calls, started: window.startedCall }
}

const tokenFor = (seconds: number) => `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + seconds }))}.x`

describe('the first script', () => {
  it('asks for the login page where nobody is signed in, whatever the address', async () => {
    expect(await firstScript('/list')).toEqual({ names: ['auth'], calls: [], started: undefined })
  })

  it('A-12 asks for the shell and the page of the address, and for the signed-in profile', async () => {
    const token = tokenFor(300)
    const { names, calls, started } = await firstScript('/other/17/', token)
    expect(names).toEqual(['shell', 'other'])
    expect(calls).toMatchObject([
      {
        url: '/api/users/detail/',
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Requested-With': 'XMLHttpRequest',
          'X-CSRFToken': 't0k en',
        },
      },
    ])
    expect(started?.token).toBe(token)
    expect((await firstScript('/', token)).names).toEqual(['shell', 'list'])
    expect((await firstScript('/nowhere', token)).names).toEqual(['shell'])
    expect((await firstScript('/staff-tickets/', token)).names).toEqual(['shell', 'staff'])
    expect((await firstScript('/', token, '{}')).names).toEqual(['shell', 'notices', 'list'])
  })

  it.each([
    ['ends soon', tokenFor(10)],
    ['is none', 'nonsense'],
  ])('A-10 begins no call with a token that %s', async (_, token) => {
    const { names, calls, started } = await firstScript('/list', token)
    expect([names, calls, started]).toEqual([['shell', 'list'], [], undefined])
  })
})
