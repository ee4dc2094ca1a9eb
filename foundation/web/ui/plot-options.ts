import uPlot from 'uplot'
import type { PlotLook } from './use-plot.ts'

export type PlotSeries = {
  name: string
  color: '--accent' | '--success' | '--warning' | '--muted' | '--danger'
  values: readonly number[]
}

const HEIGHT_px = 240

/** Returns the heights to draw: for stacked bars their tops, the highest first, so that lower bars are drawn in front; for lines the values. */
export const heights = (series: readonly PlotSeries[], look: 'bars' | 'lines'): number[][] =>
  look === 'lines'
    ? series.map(({ values }) => [...values])
    : series
        .map((_, last) =>
          (series[0]?.values ?? []).map((__, at) =>
            series.slice(0, last + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
          ),
        )
        .toReversed()

/** True if all values are whole: between two of them the axis then has no further ones, such as 1.5 tickets. */
const isCounted = (series: readonly PlotSeries[]): boolean =>
  series.every(({ values }) => values.every(Number.isInteger))

const WHOLE = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((digits) =>
  [1, 2, 5].map((first) => first * 10 ** digits),
)

type Given = PlotLook & {
  ticks: readonly string[]
  series: readonly PlotSeries[]
  look: 'bars' | 'lines'
  writeTick: (value: number) => string
  choose: (index: number) => void
}

/** Returns the options by which uPlot draws these values, in the colours of the theme. */
export function optionsOf({
  color,
  font,
  ticks,
  series,
  look,
  writeTick,
  choose,
}: Given): Omit<uPlot.Options, 'width'> {
  const axis = {
    stroke: color('--muted'),
    font,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  const drawn = look === 'bars' ? series.toReversed() : series
  const bars = uPlot.paths.bars?.({ size: [0.7, 36] })
  return {
    height: HEIGHT_px,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: look === 'lines' } },
    hooks: {
      setCursor: [
        ({ cursor }) => {
          if (typeof cursor.idx === 'number') choose(cursor.idx)
        },
      ],
    },
    // The padding on the right holds half of the last day or month.
    padding: [8, 28, 0, 0],
    scales: {
      x: { time: false, range: [-0.6, ticks.length - 0.4] },
      y: { range: (_, least, most) => [Math.min(0, least * 1.1), Math.max(1, most * 1.1)] },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 64,
        incrs: [1, 2, 3, 6, 7, 12, 14],
        values: (_, all) => all.map((at) => ticks[at] ?? ''),
      },
      {
        ...axis,
        size: 64,
        space: 36,
        ...(isCounted(series) ? { incrs: WHOLE } : {}),
        values: (_, all) => all.map(writeTick),
      },
    ],
    series: [
      {},
      ...drawn.map((one) =>
        look === 'bars' && bars
          ? {
              fill: color(one.color),
              stroke: color(one.color),
              width: 0,
              paths: bars,
              points: { show: false },
            }
          : { stroke: color(one.color), width: 2, points: { show: ticks.length === 1, size: 6 } },
      ),
    ],
  }
}
