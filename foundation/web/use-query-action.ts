import { useEffect, useEffectEvent } from 'react'
import { useGo, useQueryValue } from './navigation.tsx'

/**
 * Does once what a link to this page asked for with `?act=…`, opening a dialog, say. The address forgets it, or a reload
 * and the way back would do it again. `path` is the page's own, without a query.
 */
export function useQueryAction(act: string, path: string, answer: () => void): void {
  const go = useGo()
  const asked = useQueryValue('act') === act
  const begin = useEffectEvent(() => {
    void go(path, { replace: true, resetScroll: false })
    answer()
  })
  useEffect(() => {
    if (asked) begin()
  }, [asked])
}
