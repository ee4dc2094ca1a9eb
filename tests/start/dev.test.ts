import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { onTestFinished, expect, it } from 'vitest'
import { freePort } from '#tests/harness/free-port.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** All processes that were started for this data folder, as an operator would find them. */
function processesOf(dataDir: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return (
        /^\d+$/.test(name) && readFileSync(`/proc/${name}/environ`, 'utf8').includes(`DATA_DIR=${dataDir}`)
      )
    } catch {
      return false
    }
  })
}

it('npm run dev starts anew for a save by rename, and SIGTERM leaves no process', async () => {
  const [port, vitePort] = [await freePort(), await freePort()]
  const dataDir = temporaryFolder()
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: dataDir,
    PORT: String(port),
    VITE_PORT: String(vitePort),
  }
  const dev = spawn(process.execPath, ['tools/dev.ts'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void dev.kill('SIGKILL'))
  let said = ''
  for (const stream of [dev.stdout, dev.stderr])
    stream.on('data', (text: Buffer) => (said += text.toString()))
  const readies = () => said.split('"msg":"ready"').length - 1
  await expect.poll(readies, { timeout: 120_000, interval: 50 }).toBe(1)

  // The same bytes under the same name: a reader of the file meanwhile sees no difference.
  const file = 'app/server/well-known.ts'
  writeFileSync(`${file}.saved`, readFileSync(file))
  renameSync(`${file}.saved`, file)
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(2)

  const text = 'foundation/messages/en.json'
  writeFileSync(text, readFileSync(text))
  await expect.poll(readies, { timeout: 60_000, interval: 50 }).toBe(3)

  const gone = once(dev, 'exit')
  dev.kill('SIGTERM')
  await gone
  expect(processesOf(dataDir)).toEqual([])
}, 240_000)
