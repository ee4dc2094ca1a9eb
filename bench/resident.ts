import { readFileSync, writeFileSync } from 'node:fs'
import { must } from '#foundation/must.ts'

/** Returns the resident memory of a process, in kB. */
export const residentOf = (pid: number): number => statusOf(pid, 'VmRSS')

/** Returns the peak of the resident memory since the process began, or since `forgetPeakOf`, in kB. */
export const peakOf = (pid: number): number => statusOf(pid, 'VmHWM')

export const forgetPeakOf = (pid: number): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

const statusOf = (pid: number, name: string): number =>
  Number(must(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')))[1])
