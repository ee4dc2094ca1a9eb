import { useEffect, useEffectEvent } from 'react'
import { useGo, useQueryValue } from './navigation.tsx'

/**
 * Calls `answer` once if the address asks for an action with `?act=…`, as to open a dialog. The query is removed from the address, or
 * a reload and going back would do the action again. `path` is the path of the page without a query.
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
