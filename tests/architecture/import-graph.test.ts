import { expect, it } from 'vitest'
import { cycles } from '#tools/figures/cycles.ts'
import { readCode, type SourceFile } from '#tools/figures/read-code.ts'
import { importsUpward } from '#tools/figures/upward.ts'

const files = readCode()
const file = (path: string, imports: SourceFile['imports']): SourceFile => ({
  path,
  imports,
  lines: 1,
  functions: [],
  casts: 0,
  nonNull: 0,
  anys: 0,
  exports: 0,
})

it('no file imports itself by way of others, not even for a type', () => {
  expect(cycles(files, () => true)).toEqual([])
})

it('no file imports something that lies higher: foundation, features in their order, app', () => {
  expect(importsUpward(files)).toEqual([])
  const low = file('foundation/a.ts', [{ to: 'features/profile/contract.ts', type: true }])
  expect(importsUpward([low])).toEqual(['foundation/a.ts imports features/profile/contract.ts'])
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
