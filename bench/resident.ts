import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { must } from '#foundation/must.ts'
import { postgresOf } from '#tests/system/product-process.ts'

/** Returns the resident memory of a process, in kB. */
export const residentOf = (pid: number): number => statusOf(pid, 'VmRSS')

/** Returns the peak of the resident memory since the process began, or since `forgetPeakOf`, in kB. */
export const peakOf = (pid: number): number => statusOf(pid, 'VmHWM')

export const forgetPeakOf = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Returns the processor time that a product and its PostgreSQL have taken, in ms; the kernel counts it in hundredths of a second. */
export const processorTimeOf = (pid: number, dataDir: string): number =>
  ticksOf(pid) * 10 + postgresTimeOf(dataDir)

/** Returns the same of PostgreSQL alone. */
export const postgresTimeOf = (dataDir: string): number =>
  postgresOf(dataDir).reduce((sum, one) => sum + ticksOf(one), 0) * 10

/** Returns 0 for a process that has just ended: PostgreSQL ends those of its workers that have nothing to do. */
function ticksOf(pid: number): number {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return 0
  const stat = readFileSync(file, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const statusOf = (pid: number, name: string): number =>
  Number(must(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')))[1])
