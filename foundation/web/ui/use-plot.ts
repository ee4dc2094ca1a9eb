import { useEffect, useRef, type RefObject } from 'react'
import uPlot from 'uplot'
import '#foundation/web/theme/plot.css'
import { onResize } from '#foundation/web/screen/resize.ts'
import { onThemeChange } from '#foundation/web/theme/theme.ts'

/** The look of the page that a plot takes over: the colours of the theme by their CSS variables, and the font. */
export type PlotLook = { color: (name: `--${string}`) => string; font: string }

type Drawn = { options: Omit<uPlot.Options, 'width'>; data: uPlot.AlignedData }

/**
 * Draws a plot in the element to which the returned ref is given: in the colours of the theme and as wide as the element, and anew when
 * these or `draw` change. `draw` must stay the same function as long as it draws the same plot.
 */
export function usePlot(draw: (look: PlotLook) => Drawn): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    let plot: uPlot | undefined
    let height = 0
    const drawAnew = () => {
      plot?.destroy()
      const { options, data } = draw(lookOfPage())
      ;({ height } = options)
      plot = new uPlot({ ...options, width: element.clientWidth }, data, element)
    }
    drawAnew()
    const stops = [
      onThemeChange(drawAnew),
      onResize(() => plot?.setSize({ width: element.clientWidth, height }), 50),
    ]
    return () => {
      for (const stop of stops) stop()
      plot?.destroy()
    }
  }, [draw])
  return place
}

const lookOfPage = (): PlotLook => {
  const styles = getComputedStyle(document.documentElement)
  return {
    color: (name) => styles.getPropertyValue(name),
    font: `11px ${getComputedStyle(document.body).fontFamily}`,
  }
}
