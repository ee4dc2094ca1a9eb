// Builds dist/hostdeskctl.mjs, the command line of customers: one file for Node 20 and later, with its commands from the API document.
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import * as z from 'zod/mini'
import { describeApi } from '#app/server/openapi/document.ts'
import { routes } from '#app/server/features.ts'
import { callsOf } from '#clients/hostdeskctl/calls.ts'
import { readJson } from './read-json.ts'
import { programVersion, root } from '#foundation/server/release.ts'

// The packages whose code is in the file; their licences ask to be named.
const bundled = ['commander', 'standardwebhooks', '@stablelib/base64', 'fast-sha256']

const facts = z.object({ version: z.string(), license: z.string() })

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
        banner: `#!/usr/bin/env node\n/*\nhostdeskctl ${programVersion}, under the MIT licence. It contains:\n\n${bundled.map(licenceOf).join('\n\n')}\n*/`,
      },
    },
  },
})
chmodSync(path.join(root, 'dist/hostdeskctl.mjs'), 0o755)

function licenceOf(name: string): string {
  const folder = path.join(root, 'node_modules', name)
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one))
  const { version, license } = readJson(path.join(folder, 'package.json'), facts)
  const text = file === undefined ? '' : `\n${readFileSync(path.join(folder, file), 'utf8').trim()}`
  return `${name} ${version}, ${license}${text}`
}
