import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { productionPackages } from '#tests/harness/production-packages.ts'
import { copyFreshCheckout } from './fresh-checkout.ts'
import { startProduct } from './product.ts'
import { temporaryFolder } from './temporary-folder.ts'

// Seen red: a setting's file loaded a text, so that no clone started before its texts had been compiled by hand.
it('a fresh checkout prints the help of its command line, starts by one command, and then with production packages only', async () => {
  const [checkout, dataDir] = [temporaryFolder(), temporaryFolder()]
  copyFreshCheckout(checkout)
  const help = execFileSync(process.execPath, ['app/cli/main.ts'], { cwd: checkout, encoding: 'utf8' })
  expect(help).toContain('create-staff')
  const first = await startProduct({ checkout, dataDir })
  expect((await fetch(`${first.url}/account/`)).status).toBe(200)
  expect(await first.end()).toBe(0)

  rmSync(path.join(checkout, 'node_modules'), { recursive: true })
  for (const folder of productionPackages())
    cpSync(folder, path.join(checkout, folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (from) => from === folder || path.basename(from) !== 'node_modules',
    })
  const product = await startProduct({ checkout, dataDir })
  expect((await fetch(`${product.url}/account/`)).status).toBe(200)
  const { email, password } = anna
  const reply = await new Browser(product.url).post('/api/allauth/app/v1/auth/login', { email, password })
  expect(reply.status).toBe(200)
  expect(await product.end()).toBe(0)
})
