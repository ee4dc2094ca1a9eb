// `npm run test:libraries` checks that the libraries of all languages answer the cases of agent/vectors.json as they should. Its output
// names each language that is not installed.
import { judge } from '#agent/judge.mjs'
import { publicKeys } from './documents.ts'
import { vectorCases } from './cases/cases.ts'
import { isInstalled, languages, runCases } from './languages.ts'

const cases = vectorCases()
const right = cases.filter(({ document, expected, answer }) => {
  const { verdict, reason, plan, entitlements } = judge(document, { keys: publicKeys, ...expected })
  return JSON.stringify({ verdict, reason, plan, entitlements }) === JSON.stringify(answer)
})
process.stdout.write(`JavaScript: ${right.length} of ${cases.length}\n`)
if (right.length < cases.length) process.exitCode = 1

for (const language of languages) {
  if (!isInstalled(language)) {
    process.stdout.write(`${language.name}: not run, because it is not installed\n`)
    continue
  }
  const { passed, output } = await runCases(language)
  process.stdout.write(`${language.name}: ${output}\n`)
  if (!passed) process.exitCode = 1
}
