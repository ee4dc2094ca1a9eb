// Joined to theme.js by the build, before all else. The document has words for the person whose browser does not start the product: the code
// does not come, is blocked, or the browser is too old for it (rule 56). They show by themselves after a while (first-frame.css); where
// a file of ours fails, at once. The failure of an extension is not told here, because the page goes on without it.
;(() => {
  const assets = `${location.origin}/account/assets/`
  const say = (address) => {
    if (String(address).startsWith(assets)) document.documentElement.dataset.noStart = ''
  }
  // A file that does not come tells its element alone, on the way down.
  addEventListener('error', (event) => say(event.filename || event.target.src), true)
})()
