// Runs before the first paint, so that a dark page never flashes white. A file of its own, because the content
// security policy allows no script inside the page. foundation/web/theme/theme.ts takes over afterwards.
;(() => {
  const stored = localStorage.getItem('theme')
  const device = window.matchMedia('(prefers-color-scheme: dark)').matches
  const dark = stored === 'dark' || (stored !== 'light' && device)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
  // The first frame stands where that of the page will: the page to sign in has another than all others.
  if (!localStorage.getItem('access_token')) document.documentElement.dataset.signedOut = ''
  document.querySelector('meta[name=theme-color]').content = dark ? '#000' : '#fff'
})()
