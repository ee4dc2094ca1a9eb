import { must } from '#foundation/must.ts'
/** One measured figure beside its limits. Above `most` or below `least` the check fails; `target`, which we aim at, is only shown. */
export type Figure = {
  name: string
  value: number
  unit: string
  most?: number
  least?: number
  target?: number
  /** An explanation of the figure, if it needs one. */
  note?: string
}

export function isMet({ value, most = Infinity, least = -Infinity }: Figure): boolean {
  return value <= most && value >= least
}

/** Returns a table for a terminal with the columns figure, ours, bar (the limit), target and ok. */
export function printTable(figures: readonly Figure[]): string {
  const head = ['figure', 'ours', 'bar', 'target', 'ok', '']
  const rows = figures.map((figure) => [
    figure.name,
    write(figure.value, figure.unit),
    barOf(figure),
    figure.target === undefined ? '' : write(figure.target, figure.unit),
    figure.most === undefined && figure.least === undefined ? '' : isMet(figure) ? 'yes' : 'NO',
    figure.note ?? '',
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => must(row[column]).length)))
  const line = (row: string[]) =>
    row
      .map((cell, column) =>
        column === 1 || column === 2 || column === 3
          ? cell.padStart(must(widths[column]))
          : cell.padEnd(must(widths[column])),
      )
      .join(' | ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('-|-'), ...rows.map(line)].join('\n')
}

function barOf({ most, least, unit }: Figure): string {
  if (most !== undefined) return `≤ ${write(most, unit)}`
  return least === undefined ? '' : `≥ ${write(least, unit)}`
}

function write(value: number, unit: string): string {
  const digits = Math.abs(value) >= 100 || Number.isInteger(value) ? 0 : Math.abs(value) >= 1 ? 1 : 3
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })}${unit && ` ${unit}`}`
}

export function median(values: readonly number[]): number {
  const sorted = [...values].toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? must(sorted[middle])
    : (must(sorted[middle - 1]) + must(sorted[middle])) / 2
}

/** Returns the value that `percent` % of the values do not exceed. With few values it is rather too high than too low. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0
}
