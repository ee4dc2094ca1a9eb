import { useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { onResize } from '#foundation/web/screen/resize.ts'
import { onThemeChange } from '#foundation/web/theme/theme.ts'
import type { Series } from './series.ts'

type Props = {
  /** What the chart shows, with its figures, for those who do not see it. */
  label: string
  /** Seconds since 1970. */
  times: readonly number[]
  values: Series
  most?: number | undefined
  write: (value: number) => string
}

/** A line over time, drawn in the colours of the theme, as wide as its place and redrawn when that changes. */
export function Chart({ label, times, values, most, write }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const locale = useLocale()
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let chart: uPlot | undefined
    const draw = () => {
      chart?.destroy()
      chart = new uPlot(
        options({ width: element.clientWidth, locale, most, write, points: isSingle(values) }),
        [[...times], [...values]],
        element,
      )
    }
    draw()
    const stops = [
      onThemeChange(draw),
      onResize(() => chart?.setSize({ width: element.clientWidth, height: HEIGHT_px }), 50),
    ]
    return () => {
      for (const stop of stops) stop()
      chart?.destroy()
    }
  }, [times, values, most, write, locale])
  return <div ref={place} role="img" aria-label={label} className="mt-1.5 h-28 w-full overflow-hidden" />
}

const HEIGHT_px = 112

/** A line needs two: the first reading of all is drawn as a point. */
const isSingle = (values: Series): boolean => values.filter((value) => value !== null).length === 1

type Look = Pick<Props, 'most' | 'write'> & { width: number; locale: string; points: boolean }

function options({ width, locale, most, write, points }: Look): uPlot.Options {
  const color = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)
  const hour = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' })
  const axis = {
    stroke: color('--muted'),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
    grid: { stroke: color('--line'), width: 1 },
    ticks: { show: false },
  }
  return {
    width,
    height: HEIGHT_px,
    legend: { show: false },
    cursor: { show: false },
    // Room for the half of the last hour that stands beyond the end.
    padding: [8, 24, 0, 0],
    scales: { y: { range: (_, __, highest) => [0, most ?? Math.max(1, highest * 1.15)] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 22,
        space: 56,
        values: (_, all) => all.map((at) => hour.format(at * 1000)),
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
