import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Client } from '#tests/harness/client.ts'
import { startProduct } from '#tests/start/product.ts'
import { fillDisk, smallDisk } from '#tests/start/small-disk.ts'

const signUp = '/api/allauth/app/v1/auth/signup'

it.runIf(process.getuid?.() === 0)(
  'the disk of the product becomes full: people read why nothing is saved, /readyz says it, reads go on, and it mends itself',
  async () => {
    const disk = smallDisk('400m')
    const settings = { RATE_LIMIT_SCALE: '1000000', DEMO: 'off' }
    const product = await startProduct({ dataDir: disk, settings })
    const browser = new Client(product.url)
    let people = 0
    const join = async () =>
      browser.copy().post<{ errors?: { code: string }[] }>(signUp, {
        email: `person-${(people += 1)}@example.com`,
        password: 'a long password of somebody',
      })
    expect((await join()).status).toBe(401)
    const full = fillDisk(disk)
    const refusal = async () => {
      const { status, body } = await join()
      return [status, body.errors?.[0]?.code]
    }
    await expect.poll(refusal, { timeout: 120_000, interval: 5 }).toEqual([503, 'cannot_save'])
    expect((await browser.get<string>('/readyz')).body).toContain('writes are refused: the disk is full')
    expect((await browser.get('/account/')).status).toBe(200)
    expect(doctor(disk)).toContain('✗ Disk: it is full')

    rmSync(full)
    await expect.poll(async () => (await join()).status, { timeout: 60_000, interval: 200 }).toBe(401)
    expect(await product.end()).toBe(0)

    fillDisk(disk)
    const began = performance.now()
    expect(doctor(disk)).toMatch(/DATA_DIR: the disk of .* is full/)
    expect(performance.now() - began).toBeLessThan(20_000)
  },
)

function doctor(dataDir: string): string {
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, DEMO: 'off' }
  const { stdout, stderr } = spawnSync(process.execPath, ['app/cli/main.ts', 'doctor'], {
    env,
    encoding: 'utf8',
  })
  return stdout + stderr
}
