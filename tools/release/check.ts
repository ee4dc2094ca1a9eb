import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'

/**
 * Loads every package that the files of the release import, with the Node of the release: a package that was trimmed too far fails here.
 */
export function checkPackages(folder: string): void {
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8')
  const manifest = path.join(folder, 'package.json')
  const { dependencies } = readJson(manifest, z.object({ dependencies: z.record(z.string(), z.string()) }))
  const sources = globSync('{app,features,foundation}/**/*.ts', { cwd: folder }).map(read).join('\n')
  const asked = [...sources.matchAll(/^(?!import type).*(?:from |import\()'([^'#.][^']*)'/gm)]
  const isPackage = (name: string) =>
    Object.keys(dependencies).some((one) => `${name}/`.startsWith(`${one}/`))
  const names = [...new Set(asked.map(([, name = '']) => name).filter(isPackage))]
  const code = `for (const name of ${JSON.stringify(names)}) await import(name)
    await import('./app/server/start/run.ts')
    process.exit()`
  execFileSync(path.join(folder, 'bin/node'), ['--input-type=module', '-e', code], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}
