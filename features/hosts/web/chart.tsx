import { useCallback } from 'react'
import type uPlot from 'uplot'
import { dateLocale } from '#foundation/date-locale.ts'
import type { Locale } from '#foundation/locale.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { usePlot, type PlotLook } from '#foundation/web/ui/use-plot.ts'
import type { Series } from './series.ts'

type Span = { from: number; to: number }

type Props = {
  /** The chart's content in words, for people who do not see it. */
  label: string
  /** Seconds since 1970. */
  times: readonly number[]
  values: Series
  most?: number | undefined
  /** Spans that are tinted, in seconds since 1970. */
  spans: readonly Span[]
  write: (value: number) => string
  /** True if the times are of one day: the axis then shows hours, otherwise dates. */
  isDay: boolean
  /** Called with the index of the reading at the cursor, and with undefined when the cursor leaves. */
  onPoint: (index: number | undefined) => void
}

/** A line over time in the colours of the theme, as wide as its container; it is redrawn when the theme or the width changes. */
export function Chart({ label, times, values, most, spans, write, isDay, onPoint }: Props) {
  const locale = useLocale()
  const place = usePlot(
    useCallback(
      (look: PlotLook) => ({
        options: options({ ...look, locale, most, spans, write, isDay, onPoint, points: isSingle(values) }),
        data: [[...times], [...values]],
      }),
      [times, values, most, spans, write, isDay, onPoint, locale],
    ),
  )
  return <div ref={place} role="img" aria-label={label} className="mt-1.5 h-40 w-full overflow-hidden" />
}

/** Tints spans of time behind the line, each at least two pixels wide. */
function tint(plot: uPlot, spans: readonly Span[], fill: string): void {
  const { bbox, valToPos } = plot
  const canvas = plot['ctx']
  canvas.save()
  canvas.fillStyle = fill
  for (const { from, to } of spans) {
    const left = Math.max(bbox.left, valToPos(from, 'x', true))
    const right = Math.min(bbox.left + bbox.width, valToPos(to, 'x', true))
    if (right > bbox.left && left < bbox.left + bbox.width)
      canvas.fillRect(left, bbox.top, Math.max(2, right - left), bbox.height)
  }
  canvas.restore()
}

const HEIGHT_px = 160

/** Half of the width of a time below the chart: nearer to the right end it would be cut off. */
const HALF_px = 26

const isInside = (plot: uPlot, at: number): boolean =>
  plot.valToPos(at, 'x') + HALF_px <= plot.valToPos(plot.scales['x']?.max ?? at, 'x') + 4

/** A line needs two readings: a single reading is drawn as a point. */
const isSingle = (values: Series): boolean => values.filter((value) => value !== null).length === 1

type Look = PlotLook &
  Pick<Props, 'most' | 'spans' | 'write' | 'isDay' | 'onPoint'> & {
    locale: Locale
    points: boolean
  }

function options({
  color,
  font,
  locale,
  most,
  spans,
  write,
  isDay,
  onPoint,
  points,
}: Look): Omit<uPlot.Options, 'width'> {
  const tick = new Intl.DateTimeFormat(
    dateLocale(locale, navigator.languages),
    isDay ? { hour: 'numeric', minute: '2-digit' } : { day: 'numeric', month: 'short' },
  )
  const axis = {
    stroke: color('--muted'),
    font,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    height: HEIGHT_px,
    legend: { show: false },
    // The line at the cursor runs through all charts of the page, so that each chart shows its value at the same time.
    cursor: {
      y: false,
      drag: { x: false, y: false },
      sync: { key: 'figures' },
      points: { size: 7, fill: color('--accent'), stroke: color('--surface'), width: 1 },
    },
    hooks: {
      drawClear: [(plot) => tint(plot, spans, color('--warning-soft'))],
      setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)],
    },
    padding: [8, 4, 0, 0],
    scales: { y: { range: (_, __, highest) => [0, most ?? Math.max(1, highest * 1.15)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        space: 72,
        values: (plot, all) => all.map((at) => (isInside(plot, at) ? tick.format(at * 1000) : '')),
      },
      { ...axis, size: 46, space: 32, values: (_, all) => all.map(write) },
    ],
    series: [
      {},
      {
        stroke: color('--accent'),
        width: 1.5,
        fill: color('--accent-soft'),
        points: { show: points, size: 6 },
        spanGaps: false,
      },
    ],
  }
}
