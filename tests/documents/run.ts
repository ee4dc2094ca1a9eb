// `npm run test:documents` checks billing documents with third-party validators: the whole set by XML schema and Schematron, and a part of
// it as PDF/A and UBL by Mustang with veraPDF, if Java is installed. It takes an hour; `npm run test:documents -- 20` takes every
// twentieth document of it; those of each kind of line are always there. `-- payouts` takes the files of payouts alone.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeDocuments, xmlOf } from '#features/invoices/server/documents/make.ts'
import { judgePayoutFiles } from './payouts.ts'
import { documentSet, namedDocuments } from './set.ts'
import { faultsInCii, faultsInXrechnung } from './validate.ts'

const [, , wanted = '1'] = process.argv
const every = Number(wanted)
const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-documents-'))
const counts = {
  'EN 16931 (CII) and Factur-X schema': { valid: 0, all: 0 },
  'EN 16931 (UBL) and XRechnung': { valid: 0, all: 0 },
}
let invalid = await judgePayoutFiles()
if (wanted === 'payouts') process.exit(invalid > 0 ? 1 : 0)

for (const { name, index, paper } of [...namedDocuments(), ...documentSet({ every })]) {
  judge('EN 16931 (CII) and Factur-X schema', name, await faultsInCii(xmlOf(paper, 'CII')))
  if (paper.invoice.formats.includes('xrechnung'))
    judge('EN 16931 (UBL) and XRechnung', name, await faultsInXrechnung(xmlOf(paper, 'XRECHNUNG-UBL')))
  // In a run of the whole set, every twelfth document is also made as PDF: PDFs differ in their characters, the rest is checked in the XML.
  if (every > 1 || index % 12 === 0) {
    const { pdf, xrechnung } = await makeDocuments(paper)
    const file = path.join(folder, name.replaceAll(' ', '-'))
    writeFileSync(`${file}.pdf`, pdf)
    if (xrechnung) writeFileSync(`${file}.xml`, xrechnung)
  }
}
for (const [rules, { valid, all }] of Object.entries(counts))
  process.stdout.write(`${rules}: ${valid} of ${all} valid\n`)
judgeByJava()
rmSync(folder, { recursive: true, force: true })
process.exitCode = invalid > 0 ? 1 : 0

function judge(rules: keyof typeof counts, name: string, faults: readonly string[]): void {
  const count = counts[rules]
  count.all += 1
  if (faults.length === 0) count.valid += 1
  else {
    invalid += 1
    process.stdout.write(`${name}: ${faults.join('; ')}\n`)
  }
}

/** Validates the files by Mustang, which Maven fetches once into node_modules/.cache. */
function judgeByJava(): void {
  const here = fileURLToPath(new URL('.', import.meta.url))
  const library = fileURLToPath(new URL('../../node_modules/.cache/validators', import.meta.url))
  mkdirSync(library, { recursive: true })
  if (readdirSync(library).length === 0) {
    const goal = ['-q', '-B', '-f', path.join(here, 'pom.xml'), 'dependency:copy-dependencies']
    const { status } = spawnSync('mvn', [...goal, `-DoutputDirectory=${library}`], { stdio: 'inherit' })
    if (status !== 0) {
      process.stdout.write('PDF/A and UBL schema: not judged, because mvn or its repository is not at hand\n')
      return
    }
  }
  const command = ['-cp', `${library}/*`, path.join(here, 'Check.java'), folder]
  const { status, stdout } = spawnSync('java', command, { encoding: 'utf8', maxBuffer: 1 << 28 })
  if (status !== 0) {
    process.stdout.write('PDF/A and UBL schema: not judged, because java is not at hand\n')
    return
  }
  const lines = stdout.split('\n')
  for (const ending of ['pdf', 'xml']) {
    const judged = lines.filter((line) => /^(valid|INVALID) /.test(line) && line.endsWith(`.${ending}`))
    const valid = judged.filter((line) => line.startsWith('valid'))
    invalid += judged.length - valid.length
    const rules =
      ending === 'pdf' ? 'PDF/A-3b with its XML (veraPDF, Mustang)' : 'XRechnung with UBL schema (Mustang)'
    process.stdout.write(`${rules}: ${valid.length} of ${judged.length} valid\n`)
  }
  if (invalid > 0) process.stdout.write(stdout)
}
