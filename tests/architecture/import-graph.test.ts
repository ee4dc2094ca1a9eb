import { expect, it } from 'vitest'
import { cycles } from '#tools/figures/cycles.ts'
import { readCode, type SourceFile } from '#tools/figures/read-code.ts'

const files = readCode()
const file = (path: string, imports: SourceFile['imports']): SourceFile => ({
  path,
  imports,
  lines: 1,
  functions: [],
  casts: 0,
  nonNull: 0,
  anys: 0,
})

it('no file imports itself by way of others, not even for a type', () => {
  expect(cycles(files, () => true)).toEqual([])
})

it('foundation and database import nothing above them, features nothing of the app', () => {
  const above = (from: string, to: string) =>
    (/^(foundation|database)\//.test(from) && /^(app|features|database)\//.test(to)) ||
    (from.startsWith('features/') && to.startsWith('app/'))
  const upward = files.flatMap(({ path, imports }) =>
    imports.filter(({ to }) => above(path, to)).map(({ to }) => `${path} imports ${to}`),
  )
  expect(upward).toEqual([])
})

it('a circle is seen, by way of a type as well, and each only once', () => {
  const circle = [
    file('a.ts', [{ to: 'b.ts', type: false }]),
    file('b.ts', [
      { to: 'c.ts', type: true },
      { to: 'd.ts', type: false },
    ]),
    file('c.ts', [{ to: 'a.ts', type: false }]),
    file('d.ts', []),
  ]
  expect(cycles(circle, () => true)).toEqual([['a.ts', 'b.ts', 'c.ts']])
  expect(cycles(circle, ({ type }) => !type)).toEqual([])
})
