// `npm run test:walks` opens everything on all pages that a button opens, and runs the stories that open what no button on the pages of the demo
// opens, and judges all of it (judge.ts). It fails too where a file draws a dialog that nothing has opened.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { dialogFiles } from '#tests/architecture/rules/dialogs.ts'
import { checkout } from '#tests/architecture/rules/tree.ts'
import type { Report } from './report.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const [locale = 'en', part = ''] = process.argv.slice(2)
const isWhole = locale === 'en' && part === ''
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-walks-'))
const reports = new Map<string, Report>()

const walked = run('tests/walks/*.walk.ts', `^.*${locale} .*${part}$`)
const told = !isWhole || run('{features,tests}/**/*.e2e.ts', '.*')
for (const name of readdirSync(folder))
  reports.set(name, JSON.parse(readFileSync(path.join(folder, name), 'utf8')) as Report)
rmSync(folder, { recursive: true, force: true })

const all = [...reports.values()]
const sum = (count: (report: Report) => number) => all.reduce((total, report) => total + count(report), 0)
const faults = [...new Set(all.flatMap((report) => report.faults))]
const files = dialogFiles(checkout())
const titles = all.flatMap((report) => report.titles)
const unseen = [...files].flatMap(([file, known]) =>
  known.some((one) => titles.some((title) => one.test(title))) ? [] : [file],
)
process.stdout.write(
  `opened ${sum(({ opened }) => opened)}, judged ${sum(({ judged }) => judged)} different ones, ${faults.length} faults\n`,
)
for (const fault of faults) process.stdout.write(`${fault}\n`)
if (isWhole) {
  process.stdout.write(`${files.size - unseen.length} of ${files.size} files with a dialog were seen\n`)
  for (const file of unseen) process.stdout.write(`nothing has opened the dialog of ${file}\n`)
}
process.exitCode = walked && told && (!isWhole || unseen.length === 0) ? 0 : 1

function run(files: string, titles: string): boolean {
  const command = ['node_modules/playwright/cli.js', 'test', '--reporter=line', '--grep', titles]
  const env = { ...process.env, STORY_FILES: files, WALK_REPORT: folder }
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit', env }).status === 0
}
