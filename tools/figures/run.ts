// `npm run figures`: prints the structure of the code in numbers, from the code itself, each beside its limit. Imports upward and
// circles of imports are listed below the table. The command fails if a limit is missed.
import * as z from 'zod/mini'
import { readJson } from '../read-json.ts'
import { isMet, median, percentile, printTable } from './table.ts'
import { cycles } from './cycles.ts'
import { arrowsIn, glossary, questions } from './structure.ts'
import { readCode } from './read-code.ts'
import { measureWays } from '#bench/ways.ts'
import { importsUpward } from './upward.ts'

const files = readCode()
const lines = files.map((file) => file.lines)
const functions = files.flatMap((file) => file.functions)
const code = lines.reduce((sum, count) => sum + count, 0)
const sum = (name: 'casts' | 'nonNull' | 'anys') => files.reduce((total, file) => total + file[name], 0)
const perThousand = (count: number) => (count * 1000) / code

const valueCycles = cycles(files, ({ type }) => !type)
const typeCycles = cycles(files, () => true)
const upward = importsUpward(files)
const flag = z.optional(z.boolean())
const { packages } = readJson(
  'package-lock.json',
  z.object({ packages: z.record(z.string(), z.object({ dev: flag, devOptional: flag, optional: flag })) }),
)
const production = Object.entries(packages).filter(
  ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional,
)

const ways = await measureWays()
const wayOf = (
  name: string,
  { files: entered, functions: called, statements }: (typeof ways)['order'],
  target: typeof ways.order,
) => [
  { name: `${name}: files entered`, value: entered, unit: '', target: target.files },
  { name: `${name}: functions called`, value: called, unit: '', target: target.functions },
  { name: `${name}: SQL statements`, value: statements, unit: '', target: target.statements },
]

const figures = [
  { name: 'files', value: files.length, unit: '' },
  { name: 'lines', value: code, unit: '', target: 88_000 },
  {
    name: 'exported names',
    value: files.reduce((total, file) => total + file.exports, 0),
    unit: '',
    target: 4000,
  },
  { name: 'ideas in the glossary', value: glossary(), unit: '', target: 22 },
  { name: 'questions by event', value: questions(files), unit: '', target: 0 },
  {
    name: 'imports within licences and sales',
    value: arrowsIn(files, ['features/licences/server/', 'features/sales/server/']),
    unit: '',
    target: 130,
  },
  ...wayOf('order', ways.order, { files: 84, functions: 478, statements: 39 }),
  ...wayOf('refund by staff', ways.refund, { files: 85, functions: 340, statements: 50 }),
  { name: 'lines of a file, median', value: median(lines), unit: '', most: 60 },
  { name: 'lines of a file, p95', value: percentile(lines, 95), unit: '', most: 160 },
  { name: 'lines of a file, most', value: Math.max(...lines), unit: '', most: 400 },
  { name: 'lines of a function, median', value: median(functions), unit: '', most: 10 },
  { name: 'lines of a function, p95', value: percentile(functions, 95), unit: '', most: 35 },
  { name: 'lines of a function, most', value: Math.max(...functions), unit: '', most: 110 },
  { name: '`any`', value: sum('anys'), unit: '', most: 0 },
  { name: '`as` casts in 1,000 lines', value: perThousand(sum('casts')), unit: '', most: 1.5 },
  { name: '`!` in 1,000 lines', value: perThousand(sum('nonNull')), unit: '', most: 0.5 },
  { name: 'import cycles of values', value: valueCycles.length, unit: '', most: 0 },
  { name: 'import cycles with types', value: typeCycles.length, unit: '', most: 0 },
  { name: 'imports upward', value: upward.length, unit: '', most: 0 },
  { name: 'packages in production', value: production.length, unit: '', most: 200 },
]
process.stdout.write(`${printTable(figures)}\n`)
for (const line of [...upward, ...typeCycles.map((group) => `circle: ${group.join(', ')}`)])
  process.stdout.write(`${line}\n`)
if (!figures.every(isMet)) process.exitCode = 1
