// Builds dist/hostdeskctl.mjs, the command line of customers: one file for Node 20 and later, with its commands from the API document.
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { describeApi } from '#app/server/openapi/document.ts'
import { routes } from '#app/server/features.ts'
import { callsOf } from '#clients/hostdeskctl/calls.ts'
import { programVersion, root } from '#foundation/server/release.ts'

const contracts = routes.map(({ contract }) => contract)
const calls = callsOf(describeApi(contracts, { origin: '', version: programVersion, name: 'Hostdesk' }))

await build({
  configFile: false,
  logLevel: 'warn',
  root,
  define: { CALLS: JSON.stringify(calls), VERSION: JSON.stringify(programVersion) },
  ssr: { noExternal: true },
  build: {
    ssr: 'clients/hostdeskctl/main.ts',
    outDir: 'dist',
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'hostdeskctl.mjs',
        codeSplitting: false,
        banner: `#!/usr/bin/env node\n/*\nhostdeskctl ${programVersion}, under the MIT licence. It contains commander:\n\n${licenceOf('commander')}\n*/`,
      },
    },
  },
})
chmodSync(path.join(root, 'dist/hostdeskctl.mjs'), 0o755)

function licenceOf(name: string): string {
  const folder = path.join(root, 'node_modules', name)
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one)) ?? ''
  return readFileSync(path.join(folder, file), 'utf8').trim()
}
