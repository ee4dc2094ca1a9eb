import { readFile, statfs } from 'node:fs/promises'
import os from 'node:os'

export const VERSION = '0.1.0'

/**
 * Figures of this machine, as `POST /api/agent/check-in/` takes it: bytes, seconds, and the load over one minute.
 * @typedef {{
 *   version: string, hostname: string, uptime_s: number, load_1m: number, memory_used_bytes: number,
 *   memory_total_bytes: number, disk_used_bytes: number, disk_total_bytes: number,
 * }} Figures
 * @returns {Promise<Figures>}
 */
export async function readFigures() {
  const memory_total_bytes = os.totalmem()
  const disk = await statfs('/')
  return {
    version: VERSION,
    hostname: os.hostname().slice(0, 253),
    uptime_s: Math.floor(os.uptime()),
    load_1m: Math.round((os.loadavg()[0] ?? 0) * 100) / 100,
    memory_used_bytes: Math.max(0, memory_total_bytes - (await availableMemory())),
    memory_total_bytes,
    // Used and free bytes as `df` shows them: what root keeps for itself counts as neither.
    disk_used_bytes: (disk.blocks - disk.bfree) * disk.bsize,
    disk_total_bytes: (disk.blocks - disk.bfree + disk.bavail) * disk.bsize,
  }
}

/** Memory that programs can still get. Memory that only caches files counts as free, as Linux reports it. */
async function availableMemory() {
  const text = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  const kilobytes = /^MemAvailable:\s+(\d+) kB$/m.exec(text)?.[1]
  return kilobytes === undefined ? os.freemem() : Number(kilobytes) * 1024
}
