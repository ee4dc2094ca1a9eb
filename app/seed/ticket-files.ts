import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { keepAttachment } from '#features/support/files/server/files.ts'
import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import type { Ids } from './ticket-events.ts'

/** Keeps the files of the demo tickets as if they had been uploaded; returns their ids by name. */
export async function keepFiles(app: App, tx: Tx, ids: Ids): Promise<Map<string, string>> {
  const kept = new Map<string, string>()
  for (const { name, by, bytes } of await drawn()) {
    const at = path.join(app.storage.incoming, randomUUID())
    await writeFile(at, bytes, { flag: 'wx', mode: 0o600 })
    const file = {
      path: at,
      name,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      head: bytes.subarray(0, 65_536),
      is_text: name.endsWith('.txt'),
    }
    const { id } = await keepAttachment(app, { user_id: ids[by], uploader_id: ids[by] }, file, tx)
    kept.set(name, id)
  }
  return kept
}

type StoryFile = { name: string; by: keyof Ids; bytes: Buffer }

const drawn = async (): Promise<StoryFile[]> => [
  { name: 'load-of-three-nights.png', by: 'olivia', bytes: await picture(loadChart()) },
  { name: 'disk-usage.png', by: 'anna', bytes: await picture(diskChart()) },
  { name: 'iotop.txt', by: 'anna', bytes: Buffer.from(iotop) },
]

const WIDTH = 960
const HEIGHT = 420

/** Converts an SVG to PNG. The library is large, and only the first start needs it here, so it is loaded on demand. */
async function picture(svg: string): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  return sharp(Buffer.from(svg)).png().toBuffer()
}

const sheet = (inside: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}"><rect width="100%" height="100%" fill="#fbfcfd"/>${[
    1, 2, 3, 4,
  ]
    .map((line) => `<path d="M40 ${line * 84}H920" stroke="#dfe3e8"/>`)
    .join('')}${inside}</svg>`

/** Draws three days of load, which is low by day and has a peak each night. */
function loadChart(): string {
  const points = Array.from({ length: 288 }, (_, place) => {
    const hour = (place / 4) % 24
    const night = Math.exp(-((hour - 2.4) ** 2) / 0.18) * 290
    const day = 18 + 12 * Math.sin(place / 7) + 6 * Math.sin(place * 1.7)
    return `${(40 + (place / 287) * 880).toFixed(1)} ${(380 - night - day).toFixed(1)}`
  })
  return sheet(
    `<path d="M40 380L${points.join('L')}L920 380Z" fill="#3b6fd4" fill-opacity="0.15"/>` +
      `<path d="M${points.join('L')}" fill="none" stroke="#3b6fd4" stroke-width="2.5" stroke-linejoin="round"/>`,
  )
}

/** Draws the share of the disk that is used before (91 %) and after (34 %) the cleanup. */
function diskChart(): string {
  const bar = (top: number, share: number, colour: string) =>
    `<rect x="40" y="${top}" width="880" height="90" rx="12" fill="#e8ebef"/>` +
    `<rect x="40" y="${top}" width="${880 * share}" height="90" rx="12" fill="${colour}"/>`
  return sheet(bar(80, 0.91, '#d0454c') + bar(240, 0.34, '#2f9e6e'))
}

const iotop = `TID  PRIO  USER     DISK READ  DISK WRITE  SWAPIN      IO    COMMAND
1204 be/4 mysql     0.00 B/s   41.80 M/s  0.00 % 71.20 % mysqld
 987 be/4 root      3.10 M/s   12.40 M/s  0.00 % 18.03 % gzip /var/log/mysql/slow.log.1
 411 be/4 root      0.00 B/s   87.00 K/s  0.00 %  0.41 % [jbd2/vda1-8]
1388 be/4 www-data  0.00 B/s   11.60 K/s  0.00 %  0.02 % php-fpm: pool www
`
