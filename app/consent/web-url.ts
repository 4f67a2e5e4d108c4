// Addresses that may reach a browser: http and https without user information, which makes one host look like another. The returned
// URL is exactly the one that is opened: show that.

type WebUrl =
  | { readonly ok: true; readonly url: string }
  | { readonly ok: false; readonly reason: 'not-an-address' | 'scheme' | 'credentials' }

export function readWebUrl(text: string): WebUrl {
  if (text.length > 8192 || !URL.canParse(text)) return { ok: false, reason: 'not-an-address' }
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, reason: 'scheme' }
  if (url.username !== '' || url.password !== '' || /^[a-z]+:[\\/]*[^\\/?#]*@/i.test(text.trim()))
    return { ok: false, reason: 'credentials' }
  return { ok: true, url: url.href }
}
