// `npm run bench` measures everything; `npm run bench -- sizes http streams` only the parts that are named. `npm run bench -- streams
// --streams 5000` measures with that number only. `npm run bench -- scale --keep FOLDER` fills the tables of an installation in that folder
// once, and uses them again the next time. With `--only-fill` it does not measure. `npm run bench -- mixed 52a7031` measures against that
// commit, and with `--call 'a name changed'` that call alone. `npm run bench -- lighthouse --page profile --runs 2` is quick, for trying things out.
import { parseArgs } from 'node:util'
import { buildTexts } from '#tools/build.ts'
import { isMet, printTable } from '#tools/figures/table.ts'
import type { Figure } from '#tools/figures/table.ts'

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    page: { type: 'string' },
    runs: { type: 'string', default: '5' },
    streams: { type: 'string' },
    keep: { type: 'string' },
    call: { type: 'string' },
    'only-fill': { type: 'boolean', default: false },
  },
})

const keeping = { folder: values.keep, only_fill: values['only-fill'] }

const parts: Record<string, () => Promise<Figure[]>> = {
  sizes: async () => (await import('./sizes.ts')).measureSizes(),
  start: async () => (await import('./start.ts')).measureStart(),
  http: async () => (await import('./http.ts')).measureHttp(),
  hosts: async () => (await import('./hosts.ts')).measureHosts(),
  bulk: async () => (await import('./bulk.ts')).measureBulk(),
  mixed: async () => (await import('./mixed.ts')).measureMixed(against, values.call),
  'check-ins': async () => (await import('./check-ins.ts')).measureCheckIns(),
  figures: async () => (await import('./figures.ts')).measureFigures(),
  events: async () => (await import('./events.ts')).measureEvents(),
  validate: async () => (await import('./validate.ts')).measureValidate(),
  streams: async () => (await import('./streams.ts')).measureStreams(values.streams),
  memory: async () => (await import('./memory.ts')).measureMemory(),
  tickets: async () => (await import('./tickets.ts')).measureTickets(),
  scale: async () => (await import('./scale.ts')).measureScale(keeping),
  palette: async () => (await import('./palette.ts')).measurePalette(),
  lighthouse: async () =>
    (await import('./lighthouse.ts')).measureLighthouse(values.page, Number(values.runs)),
}

// The word after `mixed` is a commit, if it is no part.
const place = wanted.indexOf('mixed') + 1
const isPart = (name: string | undefined) => name === undefined || name in parts
const against = place > 0 && !isPart(wanted[place]) ? String(wanted.splice(place, 1)) : '52a7031'

const unknown = wanted.find((name) => !(name in parts))
if (unknown !== undefined) {
  process.stderr.write(
    `bench: there is no part '${unknown}'. The parts are ${Object.keys(parts).join(', ')}.\n`,
  )
  process.exit(2)
}

// The parts import the compiled texts, which a fresh checkout does not have yet.
await buildTexts(process.cwd())

const figures: Figure[] = []
let failed = false
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  process.stderr.write(`bench: ${name} …\n`)
  try {
    figures.push(...(await measure()))
  } catch (error) {
    process.stderr.write(
      `bench: ${name} could not be measured: ${error instanceof Error ? error.stack : String(error)}\n`,
    )
    failed = true
  }
}
process.stdout.write(`\n${printTable(figures)}\n`)
process.exit(!failed && figures.every(isMet) ? 0 : 1)
