import { readFile, statfs } from 'node:fs/promises'
import os from 'node:os'

export const VERSION = '0.1.0'

/**
 * Figures of this machine, as `POST /api/agent/check-in/` takes it: bytes, seconds, and the load over one minute.
 * @typedef {{
 *   version: string, hostname: string, uptime_s: number, load_1m: number, memory_used_bytes: number,
 *   memory_total_bytes: number, disk_used_bytes: number, disk_total_bytes: number, disks?: Disk[],
 * }} Figures
 * @typedef {{ mount: string, used_bytes: number, total_bytes: number }} Disk one other than `/`
 * @returns {Promise<Figures>}
 */
export async function readFigures() {
  const memory_total_bytes = os.totalmem()
  const root = await sizesOf('/')
  return {
    version: VERSION,
    hostname: os.hostname().slice(0, 253),
    uptime_s: Math.floor(os.uptime()),
    load_1m: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
    memory_used_bytes: Math.max(0, memory_total_bytes - (await availableMemory())),
    memory_total_bytes,
    disk_used_bytes: root.used_bytes,
    disk_total_bytes: root.total_bytes,
    disks: await otherDisks(),
  }
}

/** Used and all bytes as `df` shows them: what root keeps for itself counts as neither. @param {string} mount */
async function sizesOf(mount) {
  const disk = await statfs(mount)
  const used_bytes = (disk.blocks - disk.bfree) * disk.bsize
  return { used_bytes, total_bytes: used_bytes + disk.bavail * disk.bsize }
}

// Network disks may hang, and images are full by nature.
const KEPT_ON_DISKS = new Set([
  'ext2',
  'ext3',
  'ext4',
  'xfs',
  'btrfs',
  'zfs',
  'f2fs',
  'jfs',
  'reiserfs',
  'bcachefs',
])
const MOST_DISKS = 32

/** The disks that can be written, other than `/`, each by the first of its mounts. @returns {Promise<Disk[]>} */
async function otherDisks() {
  const mounts = disksIn(await readFile('/proc/self/mounts', 'utf8').catch(() => ''))
  const read = mounts.slice(0, MOST_DISKS).map(async (mount) => ({ mount, ...(await sizesOf(mount)) }))
  const disks = await Promise.allSettled(read)
  return disks.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
}

/** The mounts of disks in the words of /proc/self/mounts. @param {string} text @returns {string[]} */
export function disksIn(text) {
  const lines = text.split('\n').map((line) => line.split(' '))
  const isDisk = (/** @type {string[]} */ [, mount = '', kind = '', options = '']) =>
    KEPT_ON_DISKS.has(kind) && options.split(',').includes('rw') && mount.length <= 255
  const seen = new Set(lines.filter(([, mount]) => mount === '/').map(([device]) => device))
  const found = []
  for (const [device, mount = ''] of lines.filter(isDisk)) {
    if (seen.has(device)) continue
    seen.add(device)
    // Spaces and the like are written as octal numbers.
    found.push(
      mount.replaceAll(/\\(\d{3})/g, (_, /** @type {string} */ octal) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    )
  }
  return found
}

/** Memory that programs can still get. Memory that only caches files counts as free, as Linux reports it. */
async function availableMemory() {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return kilobytes === undefined ? os.freemem() : Number(kilobytes) * 1024
}
