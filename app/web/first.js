// Joined to theme.js by the build (tools/vite/first-files.ts), which fills in the names of the files. The browser runs
// it while the entry is still on its way, and asks beside it for what would else be requested after the entry has
// run: the code of the page at this address, and who is signed in. This saves a round trip for each.
// A wrong guess costs a few kilobytes, never a wrong page: router.tsx decides what is shown.
;(() => {
  const { login, frame, notices, pages, home } = __FILES__
  const token = localStorage.getItem('access_token')
  const path = location.pathname.replace(/^\/account/, '').replace(/\/$/, '') || home
  const isOf = ([pattern]) => new RegExp(`^${pattern}$`).test(path)
  // Announcements that were there last time are drawn with the page.
  const kept = localStorage.getItem('notices') ? notices : []
  for (const file of token ? [...frame, ...kept, ...(pages.find(isOf)?.[1] ?? [])] : login) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: `/account/${file}` })
    document.head.append(link)
  }
  if (!token || endsSoon(token)) return
  const url = '/api/users/detail/'
  const headers = {
    Accept: 'application/json',
    'X-Requested-With': 'XMLHttpRequest',
    Authorization: `Bearer ${token}`,
  }
  const csrf = /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1]
  if (csrf) headers['X-CSRFToken'] = decodeURIComponent(csrf)
  const response = fetch(url, { headers, credentials: 'include', cache: 'no-store' })
  // The caller sees the failure; until then it must not appear in the console.
  response.catch(() => {})
  window.startedCall = { url, token, response }

  // The rule is that of foundation/web/api/refresh.ts: a token near its end is renewed first, which is no work for here.
  function endsSoon(jwt) {
    try {
      const { exp } = JSON.parse(atob(jwt.split('.')[1].replaceAll('-', '+').replaceAll('_', '/')))
      return exp * 1000 - Date.now() < 20_000
    } catch {
      return true
    }
  }
})()
