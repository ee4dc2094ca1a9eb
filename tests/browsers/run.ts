// `npm run test:browsers` goes the main journey in Firefox and in WebKit, on the product as everybody starts it. Its output names each browser
// that is not installed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { launchProduct } from '#tests/start/launched.ts'
import { makeDataDir } from '#tests/system/product-process.ts'
import { journey } from './journey.ts'
import { browsers, type Browser } from './launch.ts'
import { untilTrue } from './until-true.ts'
import { Visitor } from './visitor.ts'

const wanted = process.argv[2]
const { dataDir, remove } = makeDataDir()
const product = await launchProduct({ dataDir, settings: { RATE_LIMIT_SCALE: '1000', LOG_LEVEL: 'warn' } })
const origin = product.url.replace('127.0.0.1', 'localhost')
const folder = mkdtempSync(path.join(dataDir, 'file-'))
const file = path.join(folder, 'server.log')
writeFileSync(file, 'it broke\n')
try {
  for (const browser of browsers.filter(({ name }) => wanted === undefined || name === wanted))
    await goes(browser)
} finally {
  await product.end()
  rmSync(folder, { recursive: true, force: true })
  remove()
}

async function goes(browser: Browser): Promise<void> {
  if (browser.lacks !== undefined) {
    process.stdout.write(`${browser.name}: not run, because ${browser.lacks} is not installed\n`)
    return
  }
  const started = [await browser.start(), await browser.start()] as const
  const [customer, staff] = [new Visitor(started[0].remote, origin), new Visitor(started[1].remote, origin)]
  let step = ''
  try {
    await journey({ customer, staff, link, file }, (next) => {
      step = next
      process.stdout.write(`${browser.name}: ${next}\n`)
    })
    process.stdout.write(`${browser.name}: green\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(
      `${browser.name}: red where one ${step}: ${String(error)}\n${await customer.says()}\n`,
    )
  } finally {
    for (const { end } of started) end()
  }
}

/** Returns the path of the link that the newest mail to the address leads to. */
function link(email: string): Promise<string> {
  return untilTrue('a mail with a link', async () => {
    const answer = await fetch(`${origin}/dev/mail/latest?to=${encodeURIComponent(email)}`)
    const { text } = (await answer.json()) as { text: string }
    const found = /https?:\/\/\S+verify=\S+/u.exec(text)?.[0]
    return found && new URL(found).pathname + new URL(found).search
  })
}
