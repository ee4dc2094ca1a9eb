import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { productionPackages } from '#tests/harness/production-packages.ts'
import { startProduct } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

it('starts with production packages only, where the pages have been built', async () => {
  const checkout = temporaryFolder()
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { encoding: 'utf8' })
  for (const file of [...listed.trim().split('\n'), '.generated', 'dist', ...productionPackages()])
    cpSync(file, path.join(checkout, file), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => from === file || path.basename(from) !== 'node_modules',
    })
  const product = await startProduct({ checkout, dataDir: temporaryFolder() })
  expect((await fetch(`${product.url}/account/`)).status).toBe(200)
  const { email, password } = anna
  const reply = await new Browser(product.url).post('/api/allauth/app/v1/auth/login', { email, password })
  expect(reply.status).toBe(200)
  expect(await product.end()).toBe(0)
})
