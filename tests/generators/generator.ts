import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { npmPackages, pythonPackages } from './packages.ts'
import { done, type Tool } from './commands.ts'

/** The means of a generator: a folder of its own, the document, the same without webhooks, and how its program calls the product. */
export type Workplace = {
  folder: string
  document: string
  calls: string
  env: Readonly<Record<string, string>>
}

export type Generator = {
  name: string
  version: string
  needs: readonly Tool[]
  generate(place: Workplace): Promise<unknown>
  compile(place: Workplace): Promise<unknown>
  /** Runs the program that lists the hosts. Returns what it prints. */
  list(place: Workplace): Promise<string>
}

const programs = path.join(import.meta.dirname, 'programs')
/** Copies a program of `programs` to where it is compiled with what was generated. */
export const copyProgram = (name: string, { folder }: Workplace, to: string) => {
  mkdirSync(path.dirname(path.join(folder, to)), { recursive: true })
  cpSync(path.join(programs, name), path.join(folder, to))
}

const tools = JSON.parse(readFileSync('tools/api-tools/package.json', 'utf8')) as {
  devDependencies: Record<string, string>
}
const pinned = (name: string): string => tools.devDependencies[name] ?? ''

export const ofTypeScript = (
  name: string,
  file: string,
  make: readonly string[],
  others: readonly string[] = [],
): Generator => ({
  name,
  version: pinned(name),
  needs: ['npm'],
  async generate({ folder, document }) {
    const packages = [`${name}@${pinned(name)}`, `typescript@${pinned('typescript')}`, ...others]
    await npmPackages(folder, [...packages, '@types/node@24.19.2'])
    const [command = '', ...args] = make.map((word) => (word === 'DOCUMENT' ? document : word))
    await done('npx', ['--no-install', command, ...args], folder)
  },
  async compile(place) {
    copyProgram(file, place, 'list.ts')
    const strict = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'esnext', '--target', 'es2022']
    const read = ['--moduleResolution', 'bundler', '--allowImportingTsExtensions', '--types', 'node']
    await done('npx', ['--no-install', 'tsc', ...strict, ...read, 'list.ts'], place.folder)
    // The client is JavaScript then, as programs load it.
    await done(
      'npx',
      [
        '--no-install',
        'esbuild',
        'list.ts',
        '--bundle',
        '--platform=node',
        '--format=esm',
        '--outfile=list.mjs',
      ],
      place.folder,
    )
  },
  list: ({ folder, env }) => done(process.execPath, ['list.mjs'], folder, env),
})

/** `module` is the package that is generated, and imported with all its parts. */
export const ofPython = (
  name: string,
  version: string,
  {
    needs,
    module,
    file,
    make,
  }: {
    needs: Generator['needs']
    module: string
    file: string
    make: (place: Workplace) => Promise<unknown>
  },
): Generator => ({
  name,
  version,
  needs: ['python3', ...needs],
  generate: make,
  async compile({ folder }) {
    await pythonPackages(folder, ['./made'])
    const all = `import importlib, pkgutil, ${module} as made
for part in pkgutil.walk_packages(made.__path__, '${module}.'): importlib.import_module(part.name)`
    await done('venv/bin/python', ['-c', all], folder)
  },
  list: ({ folder, env }) => done('venv/bin/python', ['-B', path.join(programs, file)], folder, env),
})
