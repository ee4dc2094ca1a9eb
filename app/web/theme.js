// The document has words for the person whose browser does not start the product: the code does not come, is blocked, or the browser is too
// old for it (rule 56). They show by themselves after a while (first-frame.css); where a file of ours fails, at once. The failure of an
// extension is not told here, because the page goes on without it. A file that does not come tells its element alone, on the way down.
;(() => {
  const assets = `${location.origin}/account/assets/`
  const say = (address) => {
    if (String(address).startsWith(assets)) document.documentElement.dataset.noStart = ''
  }
  addEventListener('error', (event) => say(event.filename || event.target.src), true)
})()
// Some browsers refuse storage: cookies are blocked, the page is in a locked frame, the disk is full. Memory then holds the values as
// long as this page lives, so that the product still works in this tab (rule 56). All other scripts read storage after this one.
;(() => {
  // The page says what that means to the person (app/web/shell/notes.tsx).
  const tell = () => {
    document.documentElement.dataset.unkept = ''
    dispatchEvent(new Event('unkept'))
  }
  const memory = () => {
    const methods = {
      getItem: (key) => (Object.hasOwn(kept, key) ? kept[key] : null),
      setItem: (key, text) => void (kept[key] = String(text)),
      removeItem: (key) => void delete kept[key],
      clear: () => Object.keys(kept).forEach((key) => delete kept[key]),
      key: (index) => Object.keys(kept)[index] ?? null,
    }
    const kept = Object.create(methods)
    Object.defineProperty(methods, 'length', { get: () => Object.keys(kept).length })
    return kept
  }
  for (const name of ['localStorage', 'sessionStorage']) {
    let usable = false
    try {
      usable = window[name].getItem('theme') !== undefined
    } catch {
      // A browser that refuses throws at the name, at the call, or has no storage at all.
    }
    if (usable) continue
    Object.defineProperty(window, name, { configurable: true, value: memory() })
    tell()
  }
  // A full storage keeps the rest in memory: a sign-in whose tokens cannot be written is one of this page alone.
  const { getItem, setItem, removeItem, clear } = Storage.prototype
  const unwritten = new WeakMap()
  const unwrittenOf = (storage) => unwritten.get(storage) ?? unwritten.set(storage, new Map()).get(storage)
  Object.assign(Storage.prototype, {
    getItem(key) {
      return unwrittenOf(this).get(String(key)) ?? getItem.call(this, key)
    },
    setItem(key, text) {
      unwrittenOf(this).delete(String(key))
      try {
        setItem.call(this, key, text)
      } catch {
        unwrittenOf(this).set(String(key), String(text))
        tell()
      }
    },
    removeItem(key) {
      unwrittenOf(this).delete(String(key))
      removeItem.call(this, key)
    },
    clear() {
      unwrittenOf(this).clear()
      clear.call(this)
    },
  })
})()
// Runs before the first paint, so that a dark page never flashes white. A file of its own, because the content
// security policy allows no script inside the page. foundation/web/theme/theme.ts takes over afterwards.
;(() => {
  const stored = localStorage.getItem('theme')
  const device = window.matchMedia('(prefers-color-scheme: dark)').matches
  const dark = stored === 'dark' || (stored !== 'light' && device)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  // The first frame stands where that of the page will: the page to sign in has another than all others, which come with the code of
  // the real one. Asked for now, it arrives beside the first code and not after it (tools/vite/first-script.ts; `npm run dev` names none).
  const { frame } = document.currentScript.dataset
  if (!localStorage.getItem('access_token')) document.documentElement.dataset.signedOut = ''
  else if (frame)
    document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href: frame }))
  document.querySelector('meta[name=theme-color]').content = dark ? '#000' : '#fff'
})()
