import { useEffect, useState } from 'react'
import { useGo } from '#foundation/web/navigation.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Kbd } from '#foundation/web/ui/kbd.tsx'
import { m } from '#texts/messages.js'

/** `g s`, `g t`, `g f` go to places, `?` lists the keys. */
export function Keys() {
  const [listed, setListed] = useState(false)
  useKeys(() => setListed(true))
  return (
    <Dialog open={listed} onClose={() => setListed(false)} title={m.shell_keys()}>
      <dl className="flex flex-col gap-3 text-sm">
        {places.map(({ key, text }) => (
          <div key={key} className="flex items-center justify-between gap-4">
            <dt>{text()}</dt>
            <dd className="flex items-center gap-1.5 text-muted">
              <Kbd>g</Kbd> {m.shell_then()} <Kbd>{key}</Kbd>
            </dd>
          </div>
        ))}
        <div className="flex items-center justify-between gap-4">
          <dt>{m.shell_keys_list()}</dt>
          <dd>
            <Kbd>?</Kbd>
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}

const places = [
  { key: 's', to: '/servers/list', text: m.shell_keys_servers },
  { key: 't', to: '/tickets', text: m.shell_keys_support },
  { key: 'f', to: '/finances', text: m.shell_keys_finances },
] as const

/** A second key counts for as long as one remembers the first. */
const SEQUENCE_ms = 1500

function useKeys(list: () => void): void {
  const go = useGo()
  useEffect(() => {
    let begun_ms = -Infinity
    const heard = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      const place = places.find(({ key }) => key === event.key)
      if (event.key === '?') list()
      else if (place && event.timeStamp - begun_ms < SEQUENCE_ms) void go(place.to)
      begun_ms = event.key === 'g' ? event.timeStamp : -Infinity
    }
    window.addEventListener('keydown', heard)
    return () => window.removeEventListener('keydown', heard)
  })
}

/** Letters belong to whoever writes, and inside a menu or a dialog they have other meanings. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest('input, textarea, select, [contenteditable], dialog, [popover]') !== null
