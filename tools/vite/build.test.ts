import {
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
import { runInNewContext } from 'node:vm'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { build } from 'vite'
import type { Plugin } from 'vite'
import { afterEach, describe, expect, it } from 'vitest'
import { cutFonts } from './cut-fonts.ts'
import { firstFiles } from './first-files.ts'
import { keepServerOut } from './keep-server-out.ts'
import { keylessIcons } from './keyless-icons.ts'
import { moduleExports } from './module-exports.ts'
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

  it('leaves keys, names and sizes out of icons, and nothing else', async () => {
    const root = checkout({
      'app/web/main.ts':
        "import { __iconData } from 'lucide-react/icons/key-round'\nwindow.drawn = __iconData",
    })
    const [before, after] = [{}, {}]
    runInNewContext((await bundle(root))[0]?.code ?? '', { window: before })
    runInNewContext((await bundle(root, keylessIcons()))[0]?.code ?? '', { window: after })
    const kept = JSON.stringify(before)
      .replaceAll(/,"key":"\w+"/gu, '')
      .replace('"name":"key-round","size":24,', '')
    expect(JSON.stringify(after)).toBe(kept)
    expect(kept).toMatch(/^\{"drawn":\{"node":.+"cx":"16.5"/u)
    expect(kept).not.toContain('"key"')
  })

  it('makes the exports of React once, so that no file of a page makes a copy of them', async () => {
    const root = checkout({
      'app/web/main.ts': [
        "import { useState } from 'react'",
        "import { createRoot } from 'react-dom/client'",
        "void import('./page.ts').then(({ page }) => createRoot(document.body).render(page(useState)))",
      ].join('\n'),
      'app/web/page.ts': [
        "import { createElement, useEffect } from 'react'",
        "export const page = (use: unknown) => createElement('p', { id: String([use, useEffect]) })",
      ].join('\n'),
    })
    const page = (files: Awaited<ReturnType<typeof bundle>>) =>
      files.find(({ fileName }) => fileName.includes('page'))?.code ?? ''
    expect(page(await bundle(root))).toMatch(/\.createElement\)\(.+\.useEffect/u)
    expect(page(await bundle(root, moduleExports()))).toMatch(
      /^import\{.*\}from.*;var \w+=\w+=>\w+\(`p`,\{id:String\(\[\w+,\w+\]\)\}\);export/u,
    )
  })

  it('keeps an import() as it is written, without a preload helper around it', async () => {
    const root = checkout({
      'app/web/main.ts': "void import('./page.ts').then((page) => page.show())",
      'app/web/page.ts': "export const show = () => { document.title = 'page' }",
    })
    const [before, after] = [await bundle(root), await bundle(root, plainImports())]
    expect(before[0]?.code).toContain('modulepreload')
    expect(after[0]?.code).not.toContain('modulepreload')
    expect(after[0]?.code).toContain('import(')
  })

  it('leaves out of the font what no page draws, and no letter', async () => {
    const name = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
    const root = checkout({
      'app/web/main.ts': "import './styles.css'",
      'app/web/styles.css': `@font-face { font-family: Inter; src: url('${name}') }`,
    })
    const files = await bundle(root, cutFonts(root))
    const cut = files.find(({ fileName }) => fileName.endsWith('.woff2'))?.source as Uint8Array
    const whole = readFileSync(join('node_modules', name))
    expect(cut.length).toBeLessThan(whole.length * 0.7)
    expect(lettersOf(cut)).toEqual(lettersOf(whole))
    await expect(bundle(checkout({ 'app/web/main.ts': '' }), cutFonts(root))).rejects.toThrow('Inter')
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

/** Returns the characters of a font, and the width of a sample in this font. */
function lettersOf(woff2: Uint8Array) {
  type Font = { characterSet: number[]; layout(text: string): { advanceWidth: number } }
  const fontkit: { create(bytes: Buffer): Font } = createRequire(import.meta.url)('fontkit')
  const font = fontkit.create(Buffer.from(woff2))
  return [font.characterSet, font.layout('Größe 1').advanceWidth]
}

type Kept = { access_token?: string; notices?: string; read_after?: string; read_after_unknown?: string }

/**
 * Runs the first script of a small product at an address. Returns the scripts that it asks for, by their pages' names, the calls
 * that it begins, and more.
 */
async function firstScript(address: string, kept: Kept = {}, view?: string) {
  const root = checkout({
    'app/web/index.html':
      '<html><head><script src="/theme.js"></script></head><body><script type="module" src="./main.ts"></script></body></html>',
    'app/web/public/theme.js': '',
    'app/web/no-start.js': readFileSync(join(process.cwd(), 'app/web/no-start.js'), 'utf8'),
    'app/web/first.js': readFileSync(join(process.cwd(), 'app/web/first.js'), 'utf8'),
    'app/web/formats.js': readFileSync(join(process.cwd(), 'app/web/formats.js'), 'utf8'),
    'app/web/main.ts': `import './styles.css'
      import { word } from './word.ts'
      document.title = word
      export const pages = [
      import('../../features/x/web/list-page.ts'), import('../../features/x/web/auth-page.ts'),
      import('./other-page.ts'), import('./shell.ts'), import('./staff-pages.ts'), import('./notices.ts')]`,
    'app/web/word.ts': 'export const word = "word"',
    'app/web/styles.css': "@font-face { font-family: Letters; src: url('./letters.woff2') }",
    'app/web/letters.woff2': 'letters',
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
      calls: { '/list': '/api/list/' },
      font: 'letters-',
    },
    root,
  )
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    root: join(root, 'app/web'),
    base: '/account/',
    plugins: [first, precompress()],
    build: { write: false, assetsInlineLimit: 0, modulePreload: false },
  })) as { output: { fileName: string; source?: string | Uint8Array }[] }
  const find = (name: RegExp) => String(built.output.find(({ fileName }) => name.test(fileName))?.source)
  const document = find(/index\.html$/u)
  const named = /<script src="\/account\/(assets\/start-[\w-]+\.js)">/u.exec(document)?.[1]
  const asked: string[] = []
  const calls: { url: string; headers: Record<string, string> }[] = []
  const workers: string[] = []
  const window: { startedCalls?: { token: string; responses: object }; trustedTypes: object } = {
    trustedTypes: { createPolicy: (name: string, rules: object) => Object.assign(rules, { name }) },
  }
  const [pathname, search = ''] = address.split('?')
  const script = find(new RegExp(`^${named}$`, 'u'))
  runInNewContext(script, {
    window,
    self: { document: {} },
    Worker: function Worker(url: string) {
      workers.push(url)
    },
    atob,
    addEventListener: () => {},
    location: { pathname: `/account${pathname}`, search, origin: '' },
    localStorage: { getItem: (key: keyof Kept) => kept[key] ?? null },
    sessionStorage: { getItem: () => view ?? null },
    document: {
      cookie: 'a=b; csrftoken=t0k%20en',
      currentScript: { src: `/account/${named}` },
      createElement: () => ({}),
      head: { append: ({ href }: { href: string }) => asked.push(href) },
    },
    fetch: async (url: string, request: { headers: Record<string, string> }) => {
      calls.push({ url, headers: request.headers })
    },
  })
  const names = asked.map((href) => /^\/account\/assets\/([a-z]+)/u.exec(href)?.[1])
  return { names, calls, started: window.startedCalls, document, script, named, workers }
}

const tokenFor = (seconds: number) => `x.${btoa(JSON.stringify({ exp: Date.now() / 1000 + seconds }))}.x`

describe('the first script', () => {
  it('asks for the login page where nobody is signed in, whatever the address', async () => {
    const { names, calls, started } = await firstScript('/list')
    expect([names, calls, started]).toEqual([['auth'], [], undefined])
  })

  it('stands in the document behind the script and the font of every page', async () => {
    const { document } = await firstScript('/list')
    const asked = [...document.matchAll(/(?:href|src)="\/account\/assets\/([a-z]+)/gu)].map(
      ([, name]) => name,
    )
    expect(asked).toEqual(['index', 'letters', 'start', 'index', 'index'])
    expect(document).toMatch(/<link rel="preload" crossorigin [^>]+ as="font" type="font\/woff2">/u)
  })

  it('loads what dates and numbers need in a worker that is the same file', async () => {
    const { script, named, workers } = await firstScript('/list')
    expect(workers).toEqual([`/account/${named}`])
    const done: string[] = []
    const formats = (of: string) => () => ({ format: () => done.push(of) })
    const Intl = { DateTimeFormat: formats('date'), NumberFormat: formats('number') }
    runInNewContext(script, { self: {}, Intl, close: () => done.push('end') })
    expect(done).toEqual(['date', 'number', 'end'])
  })

  it('A-12 asks for the shell and the page of the address, and for the signed-in profile', async () => {
    const access_token = tokenFor(300)
    const signedIn = { access_token }
    const { names, calls, started } = await firstScript('/other/17/', signedIn)
    expect(names).toEqual(['shell', 'other'])
    expect(calls).toMatchObject([
      {
        url: '/api/users/detail/',
        headers: {
          Authorization: `Bearer ${access_token}`,
          'X-Requested-With': 'XMLHttpRequest',
          'X-CSRFToken': 't0k en',
        },
      },
    ])
    expect(started).toMatchObject({ token: access_token })
    expect((await firstScript('/', signedIn)).names).toEqual(['shell', 'list'])
    expect((await firstScript('/nowhere', signedIn)).names).toEqual(['shell'])
    expect((await firstScript('/staff-tickets/', signedIn)).names).toEqual(['shell', 'staff'])
    expect((await firstScript('/', { ...signedIn, notices: '{}' })).names).toEqual([
      'shell',
      'notices',
      'list',
    ])
  })

  it('begins the call of what the page shows, unless something else is to be shown', async () => {
    const kept = { access_token: tokenFor(300) }
    const urls = async (...given: Parameters<typeof firstScript>) =>
      (await firstScript(...given)).calls.map(({ url }) => url)
    const [person, list] = ['/api/users/detail/', '/api/list/']
    const { calls, started } = await firstScript('/', kept)
    expect(calls.map(({ url }) => url)).toEqual([person, list])
    expect(Object.keys(started?.responses ?? {})).toEqual([person, list])
    expect(await urls('/list/', kept)).toEqual([person, list])
    expect(await urls('/list?q=a', kept)).toEqual([person])
    expect(await urls('/other/17', kept)).toEqual([person])
    // Red when a tab that shows another account began the list of one's own.
    expect(await urls('/list', kept, '{}')).toEqual([person])
  })

  it.each([
    ['from the beginning where nothing is known', {}, '0/0'],
    ['after what was written', { read_after: `1/A ${Date.now()}` }, '1/A'],
    ['from the beginning where that is long ago', { read_after: `1/A ${Date.now() - 61_000}` }, '0/0'],
    ['the primary where a write is on its way', { read_after_unknown: String(Date.now()) }, undefined],
  ])('reads %s', async (_, known, header) => {
    const { calls } = await firstScript('/list', { access_token: tokenFor(300), ...known })
    expect(calls.map(({ headers }) => headers['X-Read-After'])).toEqual([header, header])
  })

  it.each([
    ['ends soon', tokenFor(10)],
    ['is none', 'nonsense'],
  ])('A-10 begins no call with a token that %s', async (_, access_token) => {
    const { names, calls, started } = await firstScript('/list', { access_token })
    expect([names, calls, started]).toEqual([['shell', 'list'], [], undefined])
  })
})
