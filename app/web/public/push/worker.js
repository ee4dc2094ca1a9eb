// Shows notifications, and opens the page of one that is pressed. It keeps no file and answers no request of a page: its scope has none.
self.addEventListener('push', (event) => {
  const { title, text, link, tag } = event.data.json()
  const shown = {
    body: text,
    tag,
    data: { link },
    icon: '/account/icon-192.png',
    badge: '/account/icon-192.png',
  }
  event.waitUntil(self.registration.showNotification(title, shown))
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(new URL(event.notification.data.link, self.location.origin)))
})

async function open(url) {
  if (url.origin !== self.location.origin || !url.pathname.startsWith('/account/')) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const there = windows.find((one) => new URL(one.url).pathname === url.pathname)
  await (there ? there.focus() : self.clients.openWindow(url.href))
}
