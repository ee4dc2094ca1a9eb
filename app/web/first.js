// Joined to theme.js by the build (tools/vite/first-files.ts), which fills in the names of the files. The browser runs
// it while the entry is still on its way, and asks beside it for what would else be requested after the entry has
// run: the code of the page at this address, who is signed in, and what the page shows. This saves a round trip for each.
// A wrong guess costs a few kilobytes, never a wrong page: router.tsx decides what is shown.
;(() => {
  const { login, frame, notices, pages, home } = __FILES__
  const token = localStorage.getItem('access_token')
  const path = location.pathname.replace(/^\/account/, '').replace(/\/$/, '') || home
  const [, code = '', shown] = pages.find(([pattern]) => new RegExp(`^${pattern}$`).test(path)) ?? []
  // If there were announcements last time, their code is fetched now, so that they are drawn with the page.
  const kept = localStorage.getItem('notices') ? notices : ''
  const files = token ? `${frame} ${kept} ${code}` : login
  for (const file of files.match(/\S+/g)) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/account/assets/${file}.js` })
    document.head.append(link)
  }
  // Before its first date and its first number a browser looks through all its languages: 20 ms, on a slow phone 80. A worker makes
  // it do so while the page is still loading. The worker is this same file (formats.js), so it costs no request.
  const here = document.currentScript.src
  const formats = window.trustedTypes?.createPolicy('formats', { createScriptURL: () => here })
  try {
    void new Worker(formats?.createScriptURL('') ?? here)
  } catch {
    // Blocked in some browsers, and no page needs it.
  }
  if (!token || endsSoon(token)) return
  const headers = {
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    Authorization: `Bearer ${token}`,
  }
  const csrf = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1]
  if (csrf) headers['X-CSRFToken'] = decodeURIComponent(csrf)
  // The same rule as in foundation/web/api/read-after.ts: a replica answers only if it has all writes that this browser knows of.
  const [position, noted] = (localStorage.getItem('read_after') ?? '').split(' ')
  if (!isRecent(localStorage.getItem('read_after_unknown')))
    headers['X-Read-After'] = isRecent(noted) ? position : '0/0'
  const responses = {}
  start('/api/users/detail/')
  // A filtered page shows something else, and so does a tab that shows another account.
  if (shown && !location.search && !sessionStorage.getItem('view')) start(shown)
  window.startedCalls = { token, responses }

  function start(url) {
    responses[url] = fetch(url, { headers, credentials: 'include', cache: 'no-store' })
    // The caller sees the failure; until then it must not appear in the console.
    responses[url].catch(() => {})
  }

  function isRecent(at) {
    return Math.abs(Date.now() - at) < 60_000
  }

  // The same rule as in foundation/web/api/refresh.ts: a token near its end must be renewed first, which this script does not do.
  function endsSoon(jwt) {
    try {
      const { exp } = JSON.parse(atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
      return exp * 1000 - Date.now() < 20_000
    } catch {
      return true
    }
  }
})()
