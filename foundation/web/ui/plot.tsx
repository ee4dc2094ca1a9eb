import { useCallback, useState } from 'react'
import type uPlot from 'uplot'
import { heights, optionsOf, type PlotSeries } from './plot-options.ts'
import { usePlot, type PlotLook } from './use-plot.ts'

type Props = {
  /** The name of the plot for screen readers; the table beside the plot has the values. */
  label: string
  /** The name of the scale below: months or days. */
  unit: string
  /** The names of the points, from left to right. */
  names: readonly string[]
  /** The shorter names of the points, for the scale below. */
  ticks?: readonly string[]
  series: readonly PlotSeries[]
  /** The series are stacked bars, or separate lines. */
  look: 'bars' | 'lines'
  /** Writes a value of the axis at the left; `write` writes the value of a point. */
  writeTick: (value: number) => string
  write: (value: number) => string
}

/**
 * A plot of values by month or day. The values of the chosen point are written out: the point under the pointer or of the slider
 * below, and at first the last point.
 */
export function Plot({ label, unit, names, ticks = names, series, look, writeTick, write }: Props) {
  const [chosen, choose] = useState<number>()
  const index = Math.min(chosen ?? names.length - 1, names.length - 1)
  const place = usePlot(
    useCallback(
      (given: PlotLook) => ({
        options: optionsOf({ ...given, ticks, series, look, writeTick, choose }),
        data: [names.map((_, at) => at), ...heights(series, look)] as uPlot.AlignedData,
      }),
      [names, ticks, series, look, writeTick],
    ),
  )
  const told = series.map(({ name, values }) => `${name}: ${write(values[index] ?? 0)}`)
  return (
    <div className="flex flex-col gap-3">
      <div ref={place} role="img" aria-label={label} className="h-60 w-full overflow-hidden" />
      {names.length > 1 ? (
        <input
          type="range"
          aria-label={`${label}: ${unit}`}
          aria-valuetext={[names[index], ...told].join(', ')}
          min={0}
          max={names.length - 1}
          value={index}
          onChange={(event) => choose(Number(event.target.value))}
          className="h-6 w-full cursor-pointer accent-accent"
        />
      ) : null}
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
        <div className="font-medium">
          <dt className="sr-only">{unit}</dt>
          <dd>{names[index]}</dd>
        </div>
        {series.map(({ name, color, values }) => (
          <div key={name} className="flex items-center gap-2">
            <dt className="flex items-center gap-2 text-muted">
              <span aria-hidden="true" className={`size-2.5 rounded-xs ${SWATCHES[color]}`} />
              {name}
            </dt>
            <dd className="font-medium">{write(values[index] ?? 0)}</dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

const SWATCHES: Readonly<Record<PlotSeries['color'], string>> = {
  '--accent': 'bg-accent',
  '--success': 'bg-success',
  '--warning': 'bg-warning',
  '--muted': 'bg-muted',
  '--danger': 'bg-danger',
}
